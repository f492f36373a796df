import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Address } from '../../../lib/domain/nft/address.ts'
import { type Chain, chains, isCovered } from '../../../lib/domain/nft/chain.ts'
import {
  type ContractKey,
  compareContracts,
  compareNfts,
  type Nft,
} from '../../../lib/domain/nft/nft.ts'
import type { OwnedNft, ShownNft } from '../../../lib/domain/nft/owned-nft.ts'
import { type Wallet, walletAt } from '../../../lib/domain/nft/wallet.ts'
import { beginPlayerNfts } from '../../../lib/domain/player/player-nfts-beginning.ts'
import type { ContractRead } from '../../../lib/domain/ports/contract-use.ts'
import { compareTexts } from '../../../lib/domain/text.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { keptPorts } from '../../support/kept-model/kept-ports.ts'
import { emptyMemory } from '../../support/memory/memory.ts'
import {
  allow,
  allowing,
  connect,
  nft,
  owned,
  pagedIndexer,
  productId,
  readerOf,
} from '../../support/memory/owned-nfts.ts'
import { checkAsync } from '../../support/vitest/seeded.ts'

const wallet = fc.constantFrom(...[0xa, 0xb, 0xc].map(addressOf))
const chain = fc.constantFrom<Chain>('POLYGON', 'BSC', 'BSC_TESTNET', 'MUMBAI')
const contractNumber = fc.integer({ min: 1, max: 60 })
const contract = fc.tuple(chain, contractNumber).map(([on, number]) => nft(0, number, on))

/** A wallet that counts on all chains, or on one. */
const walletOnChain = fc
  .tuple(wallet, fc.constantFrom(undefined, undefined, 137, 56))
  .map(([address, chainId]) => walletAt(address, chainId))

/** An NFT in a wallet. It is allowlisted if its contract is connected and `listed` is true. */
const holding = fc
  .record({
    // Of two contracts, several wallets have the same NFTs.
    contract: fc.oneof(contract, fc.constantFrom(nft(0, 2), nft(0, 14))),
    ...{ tokenId: fc.nat(12), owner: wallet, listed: fc.boolean() },
  })
  .map(({ tokenId, ...held }) => ({
    ...held,
    nft: { ...held.contract, tokenId: nft(tokenId).tokenId },
  }))

const situation = fc.record({
  // More than 45 contracts on a chain. The player has NFTs of few of them.
  connected: fc.uniqueArray(contract, {
    minLength: 100,
    maxLength: 200,
    size: 'max',
    comparator: (a, b) => compareContracts(a, b) === 0,
  }),
  held: fc.uniqueArray(holding, {
    maxLength: 150,
    size: 'max',
    comparator: (a, b) => a.owner === b.owner && compareNfts(a.nft, b.nft) === 0,
  }),
  wallets: fc.uniqueArray(walletOnChain, { minLength: 1 }),
  chains: fc.option(fc.uniqueArray(chain, { minLength: 2 }), { nil: undefined }),
  pageSize: fc.integer({ min: 1, max: 15 }),
  limit: fc.integer({ min: 1, max: 60 }),
  sizeEach: fc.constantFrom(100, 900_000, 2_500_000, 6_000_000),
  /** The contracts are kept whose number is a multiple of it; none with 0. */
  keptMultiple: fc.constantFrom(0, 1, 2, 7),
  maxDescribed: fc.constantFrom(1, 7, 1_000),
})

type Situation = typeof situation extends fc.Arbitrary<infer Value> ? Value : never

/** The place of the first wallet that counts on the chain of an NFT of an owner; -1 if none does. */
const placeIn = (wallets: readonly Wallet[], owner: Address, { chain }: Nft): number =>
  wallets.findIndex((each) => each === owner || each === walletAt(owner, chains[chain].chainId))

/** The expected entries: each holding is checked separately. */
function selection({ connected, held, wallets, chains }: Situation): OwnedNft[] {
  const isListed = (one: Nft) =>
    connected.some((contract) => compareContracts(contract, one) === 0) &&
    held.some((other) => other.listed && compareNfts(other.nft, one) === 0)
  return held
    .filter(({ nft, owner }) => isListed(nft) && placeIn(wallets, owner, nft) >= 0)
    .filter(({ nft }) => isCovered(nft.chain) && (chains?.includes(nft.chain) ?? true))
    .map(({ nft, owner }) => owned(nft, owner))
}

const byNft = (a: ShownNft, b: ShownNft) => compareNfts(a, b) || compareTexts(a.owner, b.owner)

const isKeptIn = ({ keptMultiple }: Situation, { chain, address }: ContractKey): boolean =>
  keptMultiple > 0 && isCovered(chain) && Number(address) % keptMultiple === 0

/** The order of the indexer's NFTs: chain, run of 45 contracts by address, wallet, then the order of the indexer. */
function byReading(given: Situation) {
  const { connected, held, wallets } = given
  const asked = connected.filter((contract) => !isKeptIn(given, contract))
  const runOf = ({ chain, address }: Nft) => {
    const onChain = asked.filter((contract) => contract.chain === chain)
    return Math.floor(onChain.filter((contract) => contract.address < address).length / 45)
  }
  const placeOf = (one: ShownNft) =>
    held.findIndex(({ nft, owner }) => owner === one.owner && compareNfts(nft, one) === 0)
  const wallet = (one: ShownNft) => placeIn(wallets, one.owner, one)
  return (a: ShownNft, b: ShownNft) =>
    compareTexts(a.chain, b.chain) ||
    runOf(a) - runOf(b) ||
    wallet(a) - wallet(b) ||
    placeOf(a) - placeOf(b)
}

test('D24, D25: returns exactly the owned and allowlisted NFTs, each once, those of kept contracts first, in the documented order', async () => {
  await checkAsync(
    fc.asyncProperty(situation, async (given) => {
      const { connected, held, wallets, chains, pageSize, limit, sizeEach } = given
      const isKept = (one: ContractKey) => isKeptIn(given, one)
      const memory = emptyMemory()
      connect(memory, connected)
      const isConnected = (one: Nft) => connected.some((key) => compareContracts(key, one) === 0)
      const listed = held.filter((one) => one.listed).map(({ nft }) => nft)
      allow(memory, listed.filter(isConnected))
      const holdings = held.map(({ nft, owner }) => owned(nft, owner))
      const player = { userId: 42, username: 'neo', wallets }

      const answers: ShownNft[][] = []
      let cursor: string | undefined
      do {
        const indexer = pagedIndexer(holdings, pageSize)
        const kept = connected.filter(isKept)
        const keeping = keptPorts(kept, holdings, Date.now(), given.maxDescribed)
        const { read } = readerOf(memory, indexer, sizeEach, keeping)
        const answer = await read({ player, chains, limit, cursor })
        expect(answer.entries.length).toBeLessThanOrEqual(limit)
        answers.push(answer.entries)
        cursor = answer.nextCursor
        expect(indexer.mostAtOnce).toBeLessThanOrEqual(8)
        for (const call of indexer.calls) {
          expect(isCovered(call.chain)).toBe(true)
          const asked = call.contracts.map((address) => ({ chain: call.chain, address }))
          expect(asked.some(isKept)).toBe(false)
          expect(call.contracts.length).toBeLessThanOrEqual(45)
        }
        // Every part reads at least one page completely or returns at least one entry.
        expect(answers.length).toBeLessThan(400)
      } while (cursor !== undefined)

      const all = selection(given).sort(byNft)
      const { kept = [], asked = [] } = Object.groupBy(all, (one) =>
        isKept(one) ? 'kept' : 'asked',
      )
      const inParts = [...kept, ...asked.sort(byReading(given))]
      expect(answers.flat()).toEqual(answers.length === 1 ? all : inParts)
    }),
    120,
  )
})

const wallets = [0xa, 0xb].map(addressOf)
const player = { userId: 42, username: 'neo', wallets }

/** A reader of four contracts of a product, of which the first is kept, the second one is not, and one is on another chain. */
function reader() {
  const nfts = [nft(1, 1), nft(1, 2), nft(1, 3), nft(1, 4, 'BSC')]
  const noted: ContractRead[][] = []
  const holdings = nfts.map((each) => owned(each, addressOf(0xa)))
  const keeping = {
    ...keptPorts(nfts.slice(0, 1), holdings, Date.now()),
    keptContracts: 2,
    notedReads: { note: (reads: readonly ContractRead[]) => void noted.push([...reads]) },
  }
  const { read } = readerOf(allowing(nfts), pagedIndexer(holdings), 100, keeping)
  return { read, noted }
}

const address = (number: number) => ({ contract: { chain: 'POLYGON', address: addressOf(number) } })

test('D153: a read is noted of the first contracts on the chains on which contracts are kept, with one of its wallets', async () => {
  const { read, noted } = reader()
  await read({ player })
  expect(noted).toMatchObject([
    [
      { ...address(1), productId, isUnknown: false },
      { ...address(2), productId, isUnknown: true },
    ],
  ])
  expect(noted.flat().every(({ wallet }) => wallets.includes(wallet))).toBe(true)
})

test('D153: a read that asks for everything is noted, too, and nothing is said of what is unknown', async () => {
  const { read, noted } = reader()
  await read({ player, acceptedAge: { refusesKept: true } })
  expect(noted).toMatchObject([[{ isUnknown: false }, { isUnknown: false }]])
})

test('D153: a page of a cursor, and a read of other chains or of a player without a wallet, is not noted', async () => {
  const { read, noted } = reader()
  const { nextCursor } = await read({ player, limit: 1 })
  noted.length = 0
  await read({ player, cursor: nextCursor })
  await read({ player, chains: ['BSC'] })
  await read({ player: { ...player, wallets: [] } })
  expect(noted).toEqual([])
})

test.each([
  ['the indexer is prepared if nothing is kept', false, {}, ['prepare']],
  [
    'the indexer is prepared if the caller accepts nothing',
    true,
    { refusesKept: true },
    ['prepare'],
  ],
  [
    'positions are read if what is kept can answer',
    true,
    {},
    ['position of POLYGON', 'entries of product 42'],
  ],
])('D156: beside the reads of a request, %s', async (_, isKeeping, acceptedAge, begins) => {
  const begun: string[] = []
  const { keptChains, keptHoldings } = keptPorts([nft(1)], [], 0)
  const position: typeof keptHoldings.position = async (chain) => {
    begun.push(`position of ${chain}`)
    throw new Error('not needed')
  }
  const { positions } = beginPlayerNfts(
    { productId, userId: 42, acceptedAge },
    {
      contracts: { list: async () => [] },
      allowedTokenIds: {
        expected: (name) => {
          begun.push(`entries of ${name}`)
          return async () => []
        },
      },
      ...(isKeeping && { keeping: { keptChains, keptHoldings: { ...keptHoldings, position } } }),
      indexer: { prepare: () => begun.push('prepare') },
    },
  )
  expect(begun).toEqual(begins)
  expect([...(positions?.keys() ?? [])]).toEqual(begins.includes('prepare') ? [] : ['POLYGON'])
})
