import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listNfts, type NftsQuery } from '../../../lib/domain/allowlist/list-nfts.ts'
import { largestTokenId, type TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import {
  everyTokenId,
  rangeWith,
  type TokenRanges,
  unionOf,
} from '../../../lib/domain/allowlist/token-ranges.ts'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import { CallsSpent } from '../../../lib/domain/limit/reservation.ts'
import { compareNfts, type Nft } from '../../../lib/domain/nft/nft.ts'
import type { Indexer } from '../../../lib/domain/ports/indexer.ts'
import { emptyMemory, type Memory } from '../../support/memory/memory.ts'
import { memoryPorts } from '../../support/memory/memory-ports.ts'
import { allow, allowing, connect, nft, productId } from '../../support/memory/owned-nfts.ts'
import { numbers, range, setRanges, withRanges } from '../../support/memory/refreshing.ts'
import { checkAsync } from '../../support/vitest/seeded.ts'

/** One page, with the calls of the indexer that it took. */
async function pageOf(
  memory: Memory,
  query: Partial<NftsQuery> = {},
  { maxSize = 5_000_000, indexer = {} as Partial<Indexer> } = {},
) {
  const calls: string[] = []
  const ports = memoryPorts(memory, (call, when) => {
    if (when === 'before' && call.startsWith('indexer.')) calls.push(call.slice('indexer.'.length))
  })
  const { entries, next } = await listNfts(
    { productId, deadline: Date.now() + 24_000, ...query },
    { render: (entry) => ({ entry, size: 1_000 }), maxSize },
    {
      ...ports,
      indexer: { ...memoryPorts(memory).indexer, ...tappedOf(ports.indexer), ...indexer },
    },
  )
  return { entries, next, calls }
}

/** The methods that a listing calls; the port itself is a proxy without members. */
const tappedOf = ({ nftsFrom, metadata }: Indexer) => ({ nftsFrom, metadata })

/** All pages of a list. */
async function pagesOf(memory: Memory, query: Partial<NftsQuery> = {}, options = {}) {
  const pages: Awaited<ReturnType<typeof pageOf>>[] = []
  let after: Nft | undefined
  do {
    const page = await pageOf(memory, { ...query, ...(after && { after }) }, options)
    pages.push(page)
    after = page.next
    expect(pages.length).toBeLessThan(200)
  } while (after)
  return pages
}

const idsOf = (pages: Awaited<ReturnType<typeof pagesOf>>) =>
  pages.flatMap(({ entries }) => entries.map(({ tokenId }) => tokenId))

describe('D60: the NFTs on an allowlist', () => {
  test('D60: `*` lists the NFTs that exist, 100 in a page, with two calls of the indexer for each', async () => {
    const pages = await pagesOf(withRanges(250, [everyTokenId]))
    expect(idsOf(pages)).toEqual(numbers(0, 249))
    expect(pages.map(({ entries }) => entries.length)).toEqual([100, 100, 50])
    for (const { calls } of pages) expect(calls).toEqual(['nftsFrom', 'metadata'])
  })

  test('D60: single identifiers need no page, and are listed although their NFT does not exist', async () => {
    const [page] = await pagesOf(withRanges(3, [], [1, 77]))
    expect(page?.calls).toEqual(['metadata'])
    expect(page?.entries.map(({ tokenId, metadata }) => [tokenId, metadata.fault])).toEqual([
      ['1', undefined],
      ['77', 'not_available'],
    ])
  })

  test('D60: one page of the indexer serves all the ranges that it covers', async () => {
    const ranges = Array.from({ length: 100 }, (_, index) => range(index * 50, index * 50 + 4))
    const { entries, next, calls } = await pageOf(withRanges(20, ranges))
    expect(entries.map(({ tokenId }) => tokenId)).toEqual(['0', '1', '2', '3', '4'])
    expect(next).toBeUndefined()
    expect(calls).toEqual(['nftsFrom', 'metadata'])
  })

  test('D60: at most 8 pages of the indexer and 8 contracts for one response', async () => {
    // Each range is further than a page of the indexer from the one before.
    const apart = Array.from({ length: 20 }, (_, index) => range(index * 200, index * 200))
    const pages = await pagesOf(withRanges(4_000, apart))
    expect(idsOf(pages)).toEqual(Array.from({ length: 20 }, (_, index) => `${index * 200}`))
    expect(pages.map(({ calls }) => calls.length)).toEqual([9, 9, 5])
    const nfts = Array.from({ length: 20 }, (_, index) => nft(1, index + 1))
    const byContract = await pagesOf(allowing(nfts))
    expect(byContract.map(({ calls }) => calls.length)).toEqual([8, 8, 4])
    expect(byContract.flatMap(({ entries }) => entries.map(({ address }) => address))).toEqual(
      nfts.map(({ address }) => address),
    )
  })

  test('D60: after 12 s no further page of the indexer is started, and the list goes on at its place', async () => {
    const memory = withRanges(1_000, [range(0, 2), range(500, 502)])
    const deadline = Date.now() + 11_000
    const first = await pageOf(memory, { deadline })
    expect(first.entries.map(({ tokenId }) => tokenId)).toEqual(['0', '1', '2'])
    expect(first.next).toEqual(nft(2))
    const second = await pageOf(memory, { deadline, after: nft(2) })
    expect(second.entries.map(({ tokenId }) => tokenId)).toEqual(['500', '501', '502'])
  })

  test('D26, D60: a response ends at 5 MB, with at least one NFT', async () => {
    const memory = withRanges(5, [everyTokenId])
    const pages = await pagesOf(memory, {}, { maxSize: 2_000 })
    expect(pages.map(({ entries }) => entries.length)).toEqual([2, 2, 1])
    const oneByOne = await pagesOf(memory, {}, { maxSize: 1 })
    expect(idsOf(oneByOne)).toEqual(numbers(0, 4))
  })

  test('D56, D60: the indexer is not called for a chain that it does not cover', async () => {
    const memory = withRanges(9, [range(5, 9)], [1], ['MUMBAI', 'POLYGON'])
    allow(memory, [nft(1, 1, 'MUMBAI')])
    const [page, ...others] = await pagesOf(memory, { chain: 'MUMBAI' })
    expect(others).toEqual([])
    expect(page?.calls).toEqual([])
    expect(page?.entries.map(({ tokenId, metadata }) => [tokenId, metadata.fault])).toEqual([
      ['1', 'not_available'],
    ])
  })

  test('D39, D60: empty pages without an end are not an empty list', async () => {
    const nftsFrom: Indexer['nftsFrom'] = async ({ from }) => ({
      tokenIds: [],
      next: `${BigInt(from) + 1n}` as TokenId,
    })
    const reading = pageOf(withRanges(9, [everyTokenId]), {}, { indexer: { nftsFrom } })
    await expect(reading).rejects.toThrow(IndexerUnavailable)
  })
})

describe('D78: the NFTs on an allowlist, until no call of the indexer is left', () => {
  const spent = new CallsSpent({ name: 'indexer_calls_by_day', count: 3, perSeconds: 86_400 }, 60)

  /** An indexer in memory that fails after this number of calls. */
  function indexerFor(memory: Memory, calls: number, failure: Error = spent) {
    const { nftsFrom, metadata } = memoryPorts(memory).indexer
    let made = 0
    const limited =
      <Query, Page>(call: (query: Query) => Promise<Page>) =>
      async (query: Query) => {
        made += 1
        if (made > calls) throw failure
        return await call(query)
      }
    return { nftsFrom: limited(nftsFrom), metadata: limited(metadata) }
  }

  test.each([1, 2, 3])(
    'D78: a page ends before the first contract without a call (%i calls)',
    async (calls) => {
      const memory = allowing([1, 2, 3, 4].map((index) => nft(index, index)))
      const { entries, next } = await pageOf(memory, {}, { indexer: indexerFor(memory, calls) })
      expect(entries).toHaveLength(calls)
      expect(next && compareNfts(next, entries[calls - 1] as Nft)).toBe(0)
      const rest = await pageOf(memory, next ? { after: next } : {})
      expect([rest.entries.length, rest.next]).toEqual([4 - calls, undefined])
    },
  )

  test.each([spent, new IndexerUnavailable('down')])(
    'D60, D78: ranges are read up to the first without a call, and not without an answer: %s',
    async (failure) => {
      const memory = withRanges(6, [range(5, 20)], [], ['BASE', 'BSC', 'POLYGON'])
      const { nftsFrom } = indexerFor(memory, 1, failure)
      const page = pageOf(memory, {}, { indexer: { nftsFrom } })
      if (failure === spent) {
        const expected = { entries: [nft(5, 1, 'BASE')], next: nft(20, 1, 'BASE') }
        expect(await page).toMatchObject(expected)
      } else await expect(page).rejects.toBe(failure)
    },
  )

  test('D78: a page for which no metadata can be read is refused', async () => {
    const memory = withRanges(250, [everyTokenId])
    const page = pageOf(memory, {}, { indexer: indexerFor(memory, 1) })
    await expect(page).rejects.toBe(spent)
  })
})

const few = [0, 1, 2, 3, 5, 8, 98, 99, 100, 101, 150, 199, 200, 260]
const someId = fc.constantFrom(...few.map(BigInt), largestTokenId - 1n, largestTokenId)
const someRange = fc.tuple(someId, someId).map(([a, b]) => (a < b ? [a, b] : [b, a]))

const someContract = fc.record({
  singles: fc.uniqueArray(someId, { maxLength: 8 }),
  ranges: fc.array(someRange, { maxLength: 4 }),
})

interface Made {
  singles: bigint[]
  ranges: bigint[][]
}

function memoryOf(contracts: readonly Made[], minted: readonly bigint[]): [Memory, Nft[]] {
  const memory = emptyMemory()
  const truth: Nft[] = []
  for (const tokenId of minted) {
    memory.current.set(`${tokenId}` as TokenId, { text: '{}' })
    memory.cached.set(`${tokenId}` as TokenId, { text: '{}' })
  }
  for (const [index, { singles, ranges }] of contracts.entries()) {
    const key = nft(0, index + 1, index % 2 === 0 ? 'POLYGON' : 'BSC')
    connect(memory, [key])
    const nfts = (ids: readonly bigint[]) =>
      ids.map((tokenId) => ({ ...key, tokenId: `${tokenId}` as TokenId }))
    allow(memory, nfts(singles))
    const merged: TokenRanges = unionOf(
      [],
      ranges.map(([first = 0n, last = 0n]) => ({ first, last })),
    )
    const [at, contract] = [...memory.contracts].at(-1) ?? []
    if (at && contract) memory.contracts.set(at, { ...contract, ranges: merged })
    const alone = singles.filter((tokenId) => !rangeWith(merged, tokenId))
    truth.push(...nfts([...alone, ...minted.filter((tokenId) => rangeWith(merged, tokenId))]))
  }
  return [memory, truth.sort(compareNfts)]
}

describe('D60: model', () => {
  test('D60: the pages of any allowlist make up the NFTs that exist and the single identifiers, in the order of 4.4', async () => {
    await checkAsync(
      fc.asyncProperty(
        fc.array(someContract, { maxLength: 11 }),
        fc.uniqueArray(fc.oneof(someId, fc.bigInt({ min: 0n, max: 400n })), { maxLength: 400 }),
        fc.integer({ min: 1, max: 100 }),
        async (contracts, minted, limit) => {
          const [memory, truth] = memoryOf(contracts, minted)
          const pages = await pagesOf(memory, { limit })
          const listed = pages.flatMap(({ entries }) =>
            entries.map(({ chain, address, tokenId }) => ({ chain, address, tokenId })),
          )
          expect(listed).toEqual(truth)
          for (const { entries, calls } of pages) {
            expect(entries.length).toBeLessThanOrEqual(limit)
            expect(calls.length).toBeLessThanOrEqual(16)
          }
        },
      ),
      200,
    )
  })

  test('D60: an NFT that is minted between two pages is listed if its place has not been passed', async () => {
    const memory = withRanges(30, [everyTokenId])
    const { next } = await pageOf(memory, { limit: 10 })
    memory.current.set('77' as TokenId, { text: '{}' })
    setRanges(memory, [range(0, 12), range(70, 80)])
    const { entries } = await pageOf(memory, { after: next })
    expect(entries.map(({ tokenId }) => tokenId)).toEqual(['10', '11', '12', '77'])
  })
})
