import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CursorExpired } from '../../../lib/domain/failures.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import { type ContractKey, compareContracts, compareNfts } from '../../../lib/domain/nft/nft.ts'
import type { OwnedNft, ShownNft } from '../../../lib/domain/nft/owned-nft.ts'
import { compareTexts } from '../../../lib/domain/text.ts'
import { keptPorts } from '../../support/kept-model/kept-ports.ts'
import { emptyMemory } from '../../support/memory/memory-ports.ts'
import {
  addressOf,
  allow,
  connect,
  nft,
  owned,
  pagedIndexer,
  readerOf,
} from '../../support/memory/owned-nfts.ts'
import { checkAsync } from '../../support/vitest/seeded.ts'

const wallets = [0xa, 0xb].map(addressOf)
const contracts: ContractKey[] = (['BSC', 'POLYGON'] as Chain[]).flatMap((chain) =>
  [1, 2, 3].map((number) => ({ chain, address: addressOf(number) })),
)

const holding = fc.record({
  key: fc.constantFrom(...contracts),
  tokenId: fc.nat(150),
  owner: fc.constantFrom(...wallets),
  isListed: fc.boolean(),
})

const situation = fc.record({
  held: fc.uniqueArray(holding, {
    maxLength: 300,
    size: 'max',
    comparator: (a, b) =>
      a.key === b.key &&
      a.tokenId === b.tokenId &&
      (a.owner === b.owner || a.isListed !== b.isListed),
  }),
  kept: fc.subarray(contracts),
  limit: fc.integer({ min: 1, max: 120 }),
  sizeEach: fc.constantFrom(100, 900_000, 2_500_000),
  maxDescribed: fc.constantFrom(1, 7, 1_000),
})

type Situation = typeof situation extends fc.Arbitrary<infer Value> ? Value : never

const player = { userId: 42, username: 'neo', wallets }

const inOrder = (a: ShownNft, b: ShownNft) => compareNfts(a, b) || compareTexts(a.owner, b.owner)

/** Everything that is needed to read the situation with some contracts kept. */
function prepared({
  held,
  sizeEach,
  maxDescribed,
}: Pick<Situation, 'held' | 'sizeEach' | 'maxDescribed'>) {
  const memory = emptyMemory()
  connect(memory, contracts)
  const nfts = held.map(({ key, tokenId, owner, isListed }) => ({
    ...{ isListed, owner },
    nft: { ...key, tokenId: nft(tokenId).tokenId },
  }))
  allow(
    memory,
    nfts.filter(({ isListed }) => isListed).map((each) => each.nft),
  )
  const holdings = nfts.map((each) => owned(each.nft, each.owner))
  const listed = nfts.filter(({ isListed }) => isListed).map((each) => owned(each.nft, each.owner))
  const confirmedUpTo = Date.now() - 3_000
  const readerWith = (kept: readonly ContractKey[]) => {
    const indexer = pagedIndexer(holdings, 20)
    const keeping = keptPorts(kept, holdings, confirmedUpTo, maxDescribed)
    return { ...readerOf(memory, indexer, sizeEach, keeping), indexer }
  }
  return { memory, holdings, listed, confirmedUpTo, readerWith }
}

describe('Ownership kept: what is kept and what is asked', () => {
  test('D25: pages have each entry once, those of kept contracts first and in their order', async () => {
    await checkAsync(
      fc.asyncProperty(situation, async (given) => {
        const { readerWith, listed } = prepared(given)
        const isKept = (key: ContractKey) =>
          given.kept.some((each) => compareContracts(each, key) === 0)
        const entries: ShownNft[] = []
        let cursor: string | undefined
        let responses = 0
        do {
          const { read, indexer } = readerWith(given.kept)
          const page = await read({ player, limit: given.limit, cursor })
          const asked = indexer.calls.flatMap(({ chain, contracts: its }) =>
            its.map((address) => ({ chain, address })),
          )
          expect(asked.some(isKept)).toBe(false)
          expect(page.entries.length).toBeLessThanOrEqual(given.limit)
          entries.push(...page.entries)
          cursor = page.nextCursor
          responses += 1
          expect(responses).toBeLessThan(700)
        } while (cursor !== undefined)
        const kept = listed.filter(isKept).sort(inOrder)
        if (responses > 1) expect(entries.slice(0, kept.length)).toEqual(kept)
        else expect(entries).toEqual(listed.sort(inOrder))
        expect([...entries].sort(inOrder)).toEqual(listed.sort(inOrder))
      }),
    )
  })

  const [first, second] = contracts as [ContractKey, ContractKey]
  const held = [first, first, second, second].map((key, tokenId) => ({
    ...{ key, tokenId, owner: wallets[0] as OwnedNft['owner'] },
    isListed: true,
  }))

  test('a contract that has become kept since a cursor was given out goes on being asked', async () => {
    const { readerWith, listed } = prepared({ held, sizeEach: 100, maxDescribed: 1_000 })
    const begun = await readerWith([first]).read({ player, limit: 1 })
    const { read, indexer } = readerWith([first, second])
    const rest = await read({ player, cursor: begun.nextCursor })
    expect([...begun.entries, ...rest.entries]).toEqual(listed)
    expect(indexer.calls.flatMap((call) => call.contracts)).toContain(second.address)
  })

  test.each([
    ['one of its contracts is not kept any more', [second]],
    ['nothing is kept any more', []],
  ])('a cursor expires if %s', async (_, kept) => {
    const { readerWith } = prepared({ held, sizeEach: 100, maxDescribed: 1_000 })
    const begun = await readerWith([first, second]).read({ player, limit: 1 })
    const again = readerWith(kept).read({ player, cursor: begun.nextCursor })
    await expect(again).rejects.toThrow(CursorExpired)
  })

  test('D156: the response speaks of the confirmed block; no-cache and a lower max-age ask the indexer', async () => {
    const { readerWith, confirmedUpTo } = prepared({ held, sizeEach: 100, maxDescribed: 1_000 })
    const askedWith = async (acceptedAge: object) => {
      const { read, indexer } = readerWith([first, second])
      const { asOf } = await read({ player, acceptedAge })
      return { asked: indexer.calls.length > 0, isConfirmed: asOf === confirmedUpTo }
    }
    expect(await askedWith({})).toEqual({ asked: true, isConfirmed: true })
    expect(await askedWith({ maxAgeSeconds: 60 })).toEqual({ asked: true, isConfirmed: true })
    expect(await askedWith({ maxAgeSeconds: 2 })).toEqual({ asked: true, isConfirmed: false })
    expect(await askedWith({ refusesKept: true })).toEqual({ asked: true, isConfirmed: false })
  })
})
