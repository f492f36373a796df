import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CursorExpired } from '../../../lib/domain/failures.ts'
import {
  comparePlaces,
  type HeldContract,
  type HeldNft,
  heldNfts,
} from '../../../lib/domain/holdings/held-nfts.ts'
import { readKeptPart } from '../../../lib/domain/holdings/kept-part.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { BindingId, ContractKey, ContractWithRanges } from '../../../lib/domain/nft/nft.ts'
import type { AllowedEntry } from '../../../lib/domain/ports/allowlist.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { keptPorts } from '../../support/kept-model/kept-ports.ts'
import { emptyMemory } from '../../support/memory/memory.ts'
import {
  allow,
  connect,
  nft,
  owned,
  pagedIndexer,
  readerOf,
} from '../../support/memory/owned-nfts.ts'
import { check } from '../../support/vitest/seeded.ts'

const wallets = [0xa, 0xb].map(addressOf)
const contracts: ContractKey[] = (['BSC', 'POLYGON'] as Chain[]).flatMap((chain) =>
  [1, 2, 3].map((number) => ({ chain, address: addressOf(number) })),
)
const [first, second] = contracts as [ContractKey, ContractKey]

const player = { userId: 42, username: 'neo', wallets }

/** Two allowlisted NFTs of each of two contracts, and what reads them with some contracts kept. */
function heldOfTwo() {
  const nfts = [first, first, second, second].map((key, index) => ({ ...nft(index), ...key }))
  const memory = emptyMemory()
  connect(memory, contracts)
  allow(memory, nfts)
  const holdings = nfts.map((each) => owned(each, wallets[0] as Address))
  const confirmedUpTo = Date.now() - 3_000
  const readerWith = (kept: readonly ContractKey[]) => {
    const indexer = pagedIndexer(holdings, 20)
    const keeping = keptPorts(kept, holdings, confirmedUpTo)
    return { ...readerOf(memory, indexer, 100, keeping), indexer }
  }
  return { holdings, confirmedUpTo, readerWith }
}

describe('Ownership kept: what is kept and what is asked', () => {
  test('a contract that has become kept since a cursor was given out goes on being asked', async () => {
    const { readerWith, holdings } = heldOfTwo()
    const begun = await readerWith([first]).read({ player, limit: 1 })
    const { read, indexer } = readerWith([first, second])
    const rest = await read({ player, cursor: begun.nextCursor })
    expect([...begun.entries, ...rest.entries]).toEqual(holdings)
    expect(indexer.calls.flatMap((call) => call.contracts)).toContain(second.address)
  })

  test.each([
    ['one of its contracts is not kept any more', [second]],
    ['nothing is kept any more', []],
  ])('a cursor expires if %s', async (_, kept) => {
    const { readerWith } = heldOfTwo()
    const begun = await readerWith([first, second]).read({ player, limit: 1 })
    const again = readerWith(kept).read({ player, cursor: begun.nextCursor })
    await expect(again).rejects.toThrow(CursorExpired)
  })

  test('D156: the response speaks of the confirmed block; no-cache and a lower max-age ask the indexer', async () => {
    const { readerWith, confirmedUpTo } = heldOfTwo()
    const queriedWith = async (acceptedAge: object) => {
      const { read, indexer } = readerWith([first, second])
      const { asOf } = await read({ player, acceptedAge })
      return { queried: indexer.calls.length > 0, isConfirmed: asOf === confirmedUpTo }
    }
    expect(await queriedWith({})).toEqual({ queried: true, isConfirmed: true })
    expect(await queriedWith({ maxAgeSeconds: 60 })).toEqual({ queried: true, isConfirmed: true })
    expect(await queriedWith({ maxAgeSeconds: 2 })).toEqual({ queried: true, isConfirmed: false })
    expect(await queriedWith({ refusesKept: true })).toEqual({ queried: true, isConfirmed: false })
  })
})

const bound = (number: number): ContractWithRanges => ({
  ...{ chain: 'POLYGON', address: addressOf(number) },
  ...{ bindingId: `${number}` as BindingId, ranges: [] },
})

const heldParts = fc.record({
  held: fc.uniqueArray(
    fc.record({
      number: fc.integer({ min: 1, max: 3 }),
      owner: fc.constantFrom(...wallets),
      tokenId: fc.nat(120),
    }),
    { maxLength: 200, size: 'max', selector: (each) => Object.values(each).join() },
  ),
  counts: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
  place: fc.option(fc.nat(199), { nil: undefined }),
  ofOneOwner: fc.subarray([1, 2, 3]),
})

test('D24: parts of what is held are in the order of all of it, each NFT once, whatever their sizes are', () => {
  check(
    fc.property(heldParts, ({ held, counts, place: index, ofOneOwner }) => {
      const contracts = [3, 1, 2].map((number): HeldContract => {
        const its = held.filter((each) => each.number === number)
        const ofWallets = wallets.map((wallet) => {
          const tokens = its.filter(({ owner }) => owner === wallet)
          return [wallet, new Map(tokens.map(({ tokenId }) => [nft(tokenId).tokenId, 1n]))] as const
        })
        return { contract: bound(number), ofWallets: new Map(ofWallets) }
      })
      const all = held
        .map(({ number, owner, tokenId }) => ({ ...nft(tokenId, number), owner, number }))
        .sort(comparePlaces)
      const place = index === undefined ? undefined : all[index]
      const hasOneOwner = ({ address }: { address: Address }) =>
        ofOneOwner.some((number) => addressOf(number) === address)
      const rest = all.filter((each) => {
        if (!place || comparePlaces(each, place) <= 0) return !place
        const isSame = each.address === place.address && each.tokenId === place.tokenId
        return !(isSame && hasOneOwner(each))
      })
      const next = heldNfts(contracts, place, hasOneOwner)
      const found: HeldNft[] = []
      for (let turn = 0, isEnd = false; !isEnd; turn += 1) {
        const count = counts[turn % counts.length] as number
        const part = next(found.at(-1), count)
        expect(part.nfts.length).toBeLessThanOrEqual(count)
        if (!part.isEnd) expect(part.nfts).toHaveLength(count)
        found.push(...part.nfts)
        isEnd = part.isEnd
      }
      expect(found).toEqual(
        rest.map(({ number, ...each }) => ({
          ...{ ...each, balance: '1', contract: bound(number) },
        })),
      )
    }),
  )
})

test('the work for NFTs that strangers have sent to a wallet is that for the allowlist, if this is shorter', async () => {
  const [wallet] = wallets as [Address]
  const listed = [5, 77, 4_321, 9_999, 12_345].map((tokenId) => nft(tokenId))
  const holdings = Array.from({ length: 10_000 }, (_, tokenId) => owned(nft(tokenId), wallet))
  const counts = { lookedUp: 0, listed: 0 }
  const isListed = new Set(listed.map(({ tokenId }) => tokenId))
  const allowedTokenIds = {
    findAllowed: async <Entry extends AllowedEntry>(entries: readonly Entry[]) => {
      counts.lookedUp += entries.length
      return entries.filter(({ tokenId }) => isListed.has(tokenId))
    },
    listIn: async (_: BindingId, { first, last }: { first: bigint; last: bigint }) => {
      const found = [...isListed].filter((id) => first <= BigInt(id) && BigInt(id) <= last)
      counts.listed += found.length
      return found
    },
  }
  const connected = [bound(1)]
  const limits = { maxEntries: 10, maxBytes: 5_000_000, deadline: Date.now() + 24_000 }
  const { part } = await readKeptPart(
    {
      ...{ wallets: [wallet], contracts: connected, eligible: new Set(connected), limits },
      ...{ maxAgeSeconds: 60, isStale: false },
    },
    { ...keptPorts(connected, holdings, Date.now()), allowedTokenIds },
  )
  const page = await part?.page(undefined)
  expect(page?.nfts.map(({ tokenId }) => tokenId)).toEqual(['5', '77', '4321', '9999'])
  expect(page?.next).toBeUndefined()
  expect(counts.lookedUp).toBeLessThanOrEqual(400)
  expect(counts.listed).toBeLessThanOrEqual(5)
})
