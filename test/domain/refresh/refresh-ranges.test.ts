import { describe, expect, test } from 'vitest'
import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { everyTokenId } from '../../../lib/domain/allowlist/token-ranges.ts'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import type { Tap } from '../../support/memory/memory-ports.ts'
import {
  countsOf,
  drain,
  numbers,
  range,
  refresh,
  setRanges,
  stateOf,
  tracked,
  withRanges,
} from '../../support/memory/refreshing.ts'

describe('4.7, D59: Refresh metadata of a contract with ranges', () => {
  test('D59: `*` covers the NFTs that exist, in pages of 100, without a read of the allowlist', async () => {
    const { counts, calls, fetched } = await tracked(withRanges(150, [everyTokenId]))
    expect(counts).toEqual({ ...countsOf(150), pending: 0 })
    expect(fetched).toEqual(numbers(0, 149))
    expect(calls).toEqual([
      'page of 100',
      'metadata',
      'metadata',
      'page of 100',
      'metadata',
      'metadata',
    ])
  })

  test('D59: single identifiers come first, and each NFT is checked once', async () => {
    const singles = [1, 5, 12, 19, 80, 500]
    const { counts, calls, fetched } = await tracked(withRanges(30, [range(10, 20)], singles))
    expect(fetched).toEqual(['1', '5', '80', '500', ...numbers(10, 20)])
    expect(counts).toMatchObject({ checked: 15, pending: 0 })
    const metadata = ['metadata', 'metadata']
    expect(calls).toEqual(['allowedTokenIds.list', ...metadata, 'page of 100', ...metadata])
  })

  test('D59: a newly minted NFT is refreshed without a call by the developer', async () => {
    const memory = withRanges(2, [everyTokenId])
    await refresh(memory)
    memory.current.set('77' as TokenId, { text: '{}' })
    memory.isNextRefreshDue = true
    expect((await tracked(memory)).fetched).toEqual(['0', '1', '77'])
  })

  test('D59: returns after 200 NFTs, with one pending while pages follow, and the background does the rest', async () => {
    const memory = withRanges(350, [everyTokenId])
    const { counts, calls } = await tracked(memory)
    expect(counts).toEqual({ ...countsOf(200), pending: 1 })
    expect(calls.filter((call) => call.startsWith('page'))).toHaveLength(2)
    expect(calls).not.toContain('allowedTokenIds.count')
    // A message is JSON, which has no bigint.
    expect(JSON.parse(JSON.stringify(memory.queue))).toEqual(memory.queue)
    await drain(memory)
    expect(stateOf(memory)).toMatchObject({ ...countsOf(350), pending: 0 })
  })

  test('D59: single identifiers and pages share the 200 NFTs', async () => {
    const singles = Array.from({ length: 150 }, (_, index) => 1_000 + index)
    const memory = withRanges(60, [range(0, 99)], singles)
    const { counts, calls } = await tracked(memory)
    expect(counts).toMatchObject({ checked: 200, pending: 1 })
    expect(calls).toContain('page of 50')
    await drain(memory)
    expect(stateOf(memory)).toMatchObject({ checked: 210, pending: 0 })
  })

  test('D59: before the pages, pending also counts the single identifiers that are left', async () => {
    const singles = Array.from({ length: 250 }, (_, index) => 1_000 + index)
    const { counts } = await tracked(withRanges(10, [range(0, 99)], singles))
    expect(counts).toMatchObject({ checked: 200, pending: 51 })
  })

  test('D59: pages without an NFT in the ranges take room, too, which all chains of a request share', async () => {
    const memory = withRanges(1_000, [range(950, 960)], [], ['BSC', 'POLYGON'])
    const { counts, calls } = await tracked(memory)
    expect(counts).toMatchObject({ checked: 0, pending: 1 })
    expect(calls.filter((call) => call.startsWith('page'))).toHaveLength(2)
    expect(memory.queue).toHaveLength(2)
    await drain(memory)
    expect(stateOf(memory)).toMatchObject({ checked: 11, pending: 0 })
  })

  test('D59: a range that is removed during the refresh is no longer refreshed', async () => {
    const memory = withRanges(450, [everyTokenId])
    await refresh(memory)
    const tap: Tap = (call, when) => {
      if (call === 'refreshes.advance' && when === 'after') setRanges(memory, [range(320, 329)])
    }
    await drain(memory, undefined, tap)
    expect(stateOf(memory)).toMatchObject({ checked: 310, pending: 0 })
  })

  test('D19, D59: unbinding the contract between two batches ends the refresh', async () => {
    const memory = withRanges(450, [everyTokenId])
    await refresh(memory)
    const tap: Tap = (call, when) => {
      if (call === 'refreshes.advance' && when === 'after') memory.contracts.clear()
    }
    await drain(memory, undefined, tap)
    expect(stateOf(memory)).toMatchObject({ checked: 300 })
    expect(memory.queue).toEqual([])
  })
})

describe('D47, D59: the limit of one refresh', () => {
  test('D47: counts the NFTs in the ranges, and the next refresh continues at the next page', async () => {
    const memory = withRanges(450, [everyTokenId])
    await refresh(memory)
    await drain(memory, 300)
    expect(stateOf(memory)).toMatchObject({ checked: 300, pending: 0 })
    memory.isNextRefreshDue = true
    const { fetched } = await tracked(memory)
    expect(fetched).toEqual(numbers(300, 449))
    expect((await tracked(memory)).fetched[0]).toBe('0')
  })

  test('D59: begins with the first page if the indexer no longer accepts the page key', async () => {
    const memory = withRanges(450, [everyTokenId])
    await refresh(memory)
    await drain(memory, 300)
    memory.isNextRefreshDue = true
    const contractNfts = () => Promise.reject(new IndexerUnavailable('HTTP 400'))
    await expect(refresh(memory, { indexer: { contractNfts } })).rejects.toThrow(IndexerUnavailable)
    expect((await tracked(memory)).fetched[0]).toBe('0')
  })

  test('D47: ends between the single identifiers and the pages', async () => {
    const singles = Array.from({ length: 300 }, (_, index) => 1_000 + index)
    const memory = withRanges(20, [range(0, 99)], singles)
    await refresh(memory)
    await drain(memory, 300)
    expect(stateOf(memory)).toMatchObject({ checked: 300, pending: 0 })
    memory.isNextRefreshDue = true
    expect((await tracked(memory)).fetched).toEqual(numbers(0, 19))
  })
})
