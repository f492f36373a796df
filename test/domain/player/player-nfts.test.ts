import { describe, expect, test } from 'vitest'
import { CursorExpired, InvalidInput } from '../../../lib/domain/failures.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { Indexer } from '../../../lib/domain/ports/indexer.ts'
import { pageMark } from '../../../lib/domain/reading/reading-position.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { emptyMemory } from '../../support/memory/memory.ts'
import {
  allow,
  connect,
  nft,
  nfts,
  owned,
  pagedIndexer,
  type productId,
  readerOf,
} from '../../support/memory/owned-nfts.ts'

const player = { userId: 42, username: 'neo', wallets: [0xa, 0xb, 0xc].map(addressOf) }

/** A wallet with NFTs of one contract. By default all of them are allowlisted. */
function collection(count: number, isAllowed = (_: number) => true) {
  const memory = emptyMemory()
  connect(memory, [nft(0)])
  const all = nfts(count)
  allow(
    memory,
    all.filter((_, index) => isAllowed(index)),
  )
  const indexer = pagedIndexer(all.map((one) => owned(one, addressOf(0xa))))
  return { indexer, memory, ...readerOf(memory, indexer) }
}

const onlyWallet = { ...player, wallets: [addressOf(0xa)] }

test.each([
  ['a player without wallets', { player: { ...player, wallets: [] } }],
  ['a product without contracts', { productId: 'another' as typeof productId }],
  ['a filter that leaves nothing', { chains: ['AMOY'] as Chain[] }],
  ['a chain that was shut down', { chains: ['MUMBAI'] as Chain[] }],
])('D24: %s: the list is empty, and the indexer is not called', async (_, query) => {
  const { read, counts, indexer, memory } = collection(3)
  connect(memory, [nft(0, 1, 'MUMBAI')])
  expect(await read({ player, ...query })).toMatchObject({ entries: [] })
  expect(indexer.calls).toEqual([])
  expect(counts).toEqual({ 'contracts.list': 1 })
})

test.each([
  ['of its parts on main networks', ['POLYGON', 'AMOY'], 2_000, 1_000],
  ['of none, if all of it is on test networks', ['AMOY'], undefined, 1_000],
  ['of its oldest part', ['POLYGON', 'BSC'], 2_000, 2_000],
] as const)('D145: an answer has the moment %s', async (_, chains, mainAsOf, asOf) => {
  const memory = emptyMemory()
  const at = { POLYGON: 2_000, BSC: 3_000, AMOY: 1_000 }
  connect(
    memory,
    chains.map((chain) => nft(0, 1, chain)),
  )
  const { read } = readerOf(memory, {
    ownedNfts: async ({ chain }) => ({
      nfts: [],
      block: { number: 1, at: at[chain as keyof typeof at] },
    }),
  })
  const answer = await read({ player: onlyWallet })
  expect([answer.mainAsOf, answer.asOf]).toEqual([mainAsOf, asOf])
})

describe('The calls of one request', () => {
  test.each([
    ['nothing owned', 0, 1, 0],
    ['one NFT', 1, 1, 1],
    ['100 NFTs', 100, 1, 1],
    ['101 NFTs', 101, 2, 2],
    ['250 NFTs', 250, 3, 3],
  ])('%s', async (_, count, pages, lookUps) => {
    const { read, counts, indexer } = collection(count)
    const { entries, nextCursor } = await read({ player: onlyWallet })
    expect([entries.length, nextCursor]).toEqual([count, undefined])
    expect(indexer.calls).toHaveLength(pages)
    expect(counts['contracts.list']).toBe(1)
    expect(counts['allowedTokenIds.findAllowed'] ?? 0).toBe(lookUps)
  })

  test('one indexer call for each wallet, chain and 45 contracts', async () => {
    const memory = emptyMemory()
    const numbers = Array.from({ length: 46 }, (_, index) => index + 1)
    connect(
      memory,
      numbers.map((number) => nft(0, number)),
    )
    connect(
      memory,
      numbers.slice(0, 45).map((number) => nft(0, number, 'BSC')),
    )
    const indexer = pagedIndexer([])
    await readerOf(memory, indexer).read({ player })
    expect(indexer.calls).toHaveLength(3 * (2 + 1))
    expect(indexer.mostAtOnce).toBe(8)
  })

  test('the size of the allowlist does not change the calls', async () => {
    const few = collection(30, (index) => index === 5)
    const { indexer, memory, read, counts } = collection(30)
    allow(memory, nfts(10_000))
    await few.read({ player: onlyWallet })
    await read({ player: onlyWallet })
    expect(counts).toEqual(few.counts)
    expect(indexer.calls.length).toBe(few.indexer.calls.length)
  })
})

describe('D25: large wallets', () => {
  test('D25: a part has at most 1,000 entries, or the limit; the cursor returns all 1,500', async () => {
    const { read } = collection(1_500)
    const first = await read({ player: onlyWallet })
    expect(first.entries).toHaveLength(1_000)
    const second = await read({ player: onlyWallet, cursor: first.nextCursor })
    expect(second.entries).toHaveLength(500)
    expect(second.nextCursor).toBeUndefined()
    const tokenIds = [...first.entries, ...second.entries].map(({ tokenId }) => tokenId)
    expect(new Set(tokenIds).size).toBe(1_500)
  })

  test('D25: a part ends after 64 indexer calls, even without entries, and following cursors reaches the end', async () => {
    const { read, indexer } = collection(10_000, (index) => index === 9_999)
    const first = await read({ player: onlyWallet })
    expect(first.entries).toEqual([])
    expect(indexer.calls).toHaveLength(64)
    const second = await read({ player: onlyWallet, cursor: first.nextCursor })
    expect(second.entries.map(({ tokenId }) => tokenId)).toEqual(['9999'])
    expect(second.nextCursor).toBeUndefined()
    expect(indexer.calls).toHaveLength(100)
  })

  test('D25: a part ends at 5 MB', async () => {
    const { indexer, memory } = collection(30)
    const { read } = readerOf(memory, indexer, 1_000_000)
    const { entries, nextCursor } = await read({ player: onlyWallet })
    expect(entries).toHaveLength(5)
    expect(nextCursor).toBeDefined()
  })

  test('D25: no page is requested in the last 4 s before the deadline', async () => {
    const { read, indexer } = collection(300)
    const { entries, nextCursor } = await read({ player: onlyWallet, deadline: Date.now() + 4_000 })
    expect(entries).toHaveLength(100)
    expect(nextCursor).toBeDefined()
    expect(indexer.calls).toHaveLength(1)
  })

  const half = async () => {
    const { read, memory } = collection(20)
    const { nextCursor } = await read({ player: onlyWallet, limit: 10 })
    return {
      memory,
      readOn: (query = {}) => read({ player: onlyWallet, cursor: nextCursor, ...query }),
    }
  }

  test('D39: a cursor behind the last source is refused', async () => {
    const { read } = collection(20)
    const { nextCursor = '' } = await read({ player: onlyWallet, limit: 10 })
    const sealed = JSON.parse(nextCursor)
    sealed.place.source = 1
    const cursor = JSON.stringify(sealed)
    await expect(read({ player: onlyWallet, cursor })).rejects.toThrow(InvalidInput)
  })

  test('D39: the next part goes on with the progress of the parts before', async () => {
    const { memory } = collection(2)
    const progress = { pages: 1, emptyPages: 0, anchor: pageMark('1'), nfts: 1, announced: 2 }
    const progresses: unknown[] = []
    const ownedNfts: Indexer['ownedNfts'] = async (query) => {
      progresses.push(query.progress)
      const nfts = [owned(nft(progresses.length - 1), addressOf(0xa))]
      return { nfts, pageKey: `${progresses.length}`, progress }
    }
    const { read } = readerOf(memory, { ownedNfts })
    const { nextCursor } = await read({ player: onlyWallet, limit: 1 })
    await read({ player: onlyWallet, limit: 1, cursor: nextCursor })
    expect(progresses).toEqual([undefined, progress])
  })

  test('D25: the limit can change between two parts', async () => {
    const { readOn } = await half()
    expect((await readOn({ limit: 3 })).entries).toHaveLength(3)
  })

  test('D25: a cursor expires when contracts or wallets change', async () => {
    const { readOn, memory } = await half()
    await expect(readOn({ player })).rejects.toThrow(CursorExpired)
    connect(memory, [nft(0, 2)])
    await expect(readOn()).rejects.toThrow(CursorExpired)
  })
})

test('NFTs of other contracts in an indexer response are left out', async () => {
  const { memory } = collection(3)
  const stray = [owned(nft(1, 9), addressOf(0xa)), owned(nft(1), addressOf(0xa))]
  const { read } = readerOf(memory, { ownedNfts: async () => ({ nfts: stray }) })
  expect((await read({ player: onlyWallet })).entries).toEqual([stray[1]])
})
