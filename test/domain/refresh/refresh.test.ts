import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import {
  ContractNotConnected,
  IndexerUnavailable,
  RateLimited,
} from '../../../lib/domain/failures.ts'
import { CallsSpent } from '../../../lib/domain/limit/reservation.ts'
import type { Indexer } from '../../../lib/domain/ports/indexer.ts'
import { processWorkItem } from '../../../lib/domain/work/process-work-item.ts'
import type { ProductWork } from '../../../lib/domain/work/work-item.ts'
import { emptyMemory, type Memory } from '../../support/memory/memory.ts'
import { indexerOf } from '../../support/memory/memory-indexer.ts'
import { memoryPorts } from '../../support/memory/memory-ports.ts'
import { allowing, nft } from '../../support/memory/owned-nfts.ts'
import {
  countsOf,
  drain,
  later,
  refresh,
  refreshable,
  stateOf,
} from '../../support/memory/refreshing.ts'

const states = (refreshes: Awaited<ReturnType<typeof refresh>>) =>
  refreshes.map(({ state: { checked, changed, failed, pending } }) => ({
    checked,
    changed,
    failed,
    pending,
  }))

/** An indexer in memory that fails from the n-th metadata call on and counts its calls. */
function failingFrom(memory: Memory, failingCall: number) {
  const indexer = indexerOf(memory)
  const calls: { count: number; fromSource: boolean }[] = []
  const metadata: Indexer['metadata'] = async (query) => {
    calls.push({ count: query.tokenIds.length, fromSource: query.fromSource })
    if (calls.length >= failingCall) throw new IndexerUnavailable('test')
    return await indexer.metadata(query)
  }
  return { indexer: { metadata }, calls }
}

/** The number of refreshes that prevent another. */
const inForce = (memory: Memory) =>
  [...memory.refreshes.values()].filter(({ isAbandoned }) => !isAbandoned).length

const never = Number.POSITIVE_INFINITY

describe('4.7 Refresh metadata', () => {
  test('D31: reads the cached metadata and then fetches it from the source, 100 NFTs in each call', async () => {
    const memory = refreshable(150)
    const { indexer, calls } = failingFrom(memory, never)
    expect(states(await refresh(memory, { indexer }))).toEqual([{ ...countsOf(150), pending: 0 }])
    expect(calls).toEqual([
      { count: 100, fromSource: false },
      { count: 100, fromSource: true },
      { count: 50, fromSource: false },
      { count: 50, fromSource: true },
    ])
    expect(memory.queue).toEqual([])
  })

  test('D31: returns the changed NFTs with their new metadata', async () => {
    const [refreshes] = await refresh(refreshable(30))
    expect(refreshes?.changed.map(({ tokenId, metadata }) => [tokenId, metadata.text])).toEqual([
      ['0', '{"level":2}'],
      ['10', '{"level":2}'],
      ['20', '{"level":2}'],
    ])
  })

  test('D31: a different fault or link is a change too; an unreadable NFT counts as failed', async () => {
    const memory = allowing([nft(1), nft(2), nft(3)])
    memory.cached.set(nft(1).tokenId, { text: '{}' })
    memory.current.set(nft(1).tokenId, { text: '{}', fault: 'too_large' })
    memory.current.set(nft(2).tokenId, { text: '{}' })
    const refreshes = await refresh(memory)
    expect(states(refreshes)).toEqual([{ checked: 3, changed: 2, failed: 1, pending: 0 }])
    expect(refreshes[0]?.failed.map(({ tokenId }) => tokenId)).toEqual(['3'])
  })

  test('D31: refreshes 200 NFTs before the response and the rest in the background', async () => {
    for (const [count, pending] of [
      [200, 0],
      [201, 1],
      [450, 250],
    ] as const) {
      const memory = refreshable(count)
      expect(states(await refresh(memory))).toEqual([{ ...countsOf(200), pending }])
      expect(memory.queue).toHaveLength(pending > 0 ? 1 : 0)
    }
  })

  test('D31: the chains of one request share the 200 NFTs', async () => {
    const memory = refreshable(150, ['BSC', 'POLYGON', 'ETHEREUM'])
    const refreshes = await refresh(memory)
    expect(refreshes.map(({ contract }) => contract.chain)).toEqual(['BSC', 'ETHEREUM', 'POLYGON'])
    expect(states(refreshes)).toMatchObject([
      { checked: 150, pending: 0 },
      { checked: 50, pending: 100 },
      { checked: 0, pending: 150 },
    ])
    expect(memory.queue).toHaveLength(2)
  })

  test('D31: refreshes only the requested chain', async () => {
    const memory = refreshable(1, ['BSC', 'POLYGON'])
    const refreshes = await refresh(memory, { chain: 'POLYGON' })
    expect(refreshes.map(({ contract }) => contract.chain)).toEqual(['POLYGON'])
  })

  test('D31: starts no batch in the last 4 s before the deadline', async () => {
    const memory = refreshable(30)
    expect(states(await refresh(memory, { milliseconds: 3_999 }))).toMatchObject([
      { checked: 0, pending: 30 },
    ])
    expect(memory.queue).toHaveLength(1)
  })

  test('D31: a contract that is not connected, or not on this chain, is an error', async () => {
    await expect(refresh(emptyMemory())).rejects.toThrow(ContractNotConnected)
    await expect(refresh(refreshable(1), { chain: 'BSC' })).rejects.toThrow(
      / on BSC is not connected/,
    )
  })

  test('D11: the indexer is not called for a chain that was shut down', async () => {
    const memory = refreshable(3, ['MUMBAI'])
    const { indexer, calls } = failingFrom(memory, 1)
    expect(states(await refresh(memory, { indexer }))).toMatchObject([{ checked: 0, pending: 0 }])
    expect(calls).toEqual([])
  })

  test('D31: a repeat returns the stored counts and their time, without an indexer call', async () => {
    const memory = refreshable(250)
    const [first] = await refresh(memory)
    const { indexer, calls } = failingFrom(memory, 1)
    const [again] = await refresh(memory, { indexer })
    expect(again).toEqual({ ...first, started: false, changed: [], failed: [] })
    expect(calls).toEqual([])
    expect(memory.queue).toHaveLength(1)
  })

  test('D31: a repeat before the first report returns that all NFTs are pending', async () => {
    const memory = refreshable(30)
    let again: Awaited<ReturnType<typeof refresh>> = []
    const tap = async (call: string, when: string) => {
      if (call === 'indexer.metadata' && when === 'before') again = await refresh(memory)
    }
    await refresh(memory, { tap })
    expect(states(again)).toEqual([{ checked: 0, changed: 0, failed: 0, pending: 30 }])
  })
})

test.each([
  ['while the first are read', 1],
  ['while the first are fetched anew', 2],
])('D30: if the indexer fails %s, the refresh is undone', async (_, call) => {
  const memory = refreshable(250)
  const { indexer } = failingFrom(memory, call)
  await expect(refresh(memory, { indexer })).rejects.toThrow(IndexerUnavailable)
  expect([inForce(memory), memory.queue.length]).toEqual([0, 0])
  expect(states(await refresh(memory))).toMatchObject([{ checked: 200, pending: 50 }])
})

describe('D38: a refresh that dies does not forget what has changed', () => {
  /** An indexer that fetches metadata from the source, and whose answer about it is lost. */
  function losingAnswers(memory: Memory): Indexer {
    const indexer = indexerOf(memory)
    return {
      ...indexer,
      async metadata(query) {
        const nfts = await indexer.metadata(query)
        if (query.fromSource) throw new IndexerUnavailable('the response was lost')
        return nfts
      },
    }
  }

  test('D38: a failed call that had fetched everything: the next refresh reports the changes', async () => {
    const memory = refreshable(30)
    const indexer = losingAnswers(memory)
    await expect(refresh(memory, { indexer })).rejects.toThrow(IndexerUnavailable)
    await setTimeout(2)
    const [next] = await refresh(memory)
    const changed = next?.changed.map(({ tokenId }) => tokenId)
    expect(changed).toEqual(expect.arrayContaining(['0', '10', '20']))
    // An unreadable NFT is failed and never changed.
    expect(changed).not.toContain('7')
  })

  test('D38: the background counts a change although its first try died after the fetch', async () => {
    const memory = refreshable(250)
    await refresh(memory)
    const [item] = memory.queue
    const failing = { ...memoryPorts(memory), indexer: losingAnswers(memory) }
    const dying = processWorkItem(item as ProductWork, later(), failing)
    await expect(dying).rejects.toThrow(IndexerUnavailable)
    await setTimeout(2)
    await drain(memory)
    const state = stateOf(memory)
    expect(state).toMatchObject({ checked: 250, pending: 0 })
    expect(state?.changed).toBeGreaterThanOrEqual(countsOf(250).changed)
  })

  test('D38: an NFT that the cached metadata lacks is not a change', async () => {
    const memory = refreshable(30)
    const { indexer } = memoryPorts(memory)
    const metadata: Indexer['metadata'] = async (query) =>
      (await indexer.metadata(query)).map((nft) =>
        query.fromSource || nft.tokenId !== '10' ? nft : { ...nft, isMissing: true },
      )
    const [report] = await refresh(memory, { indexer: { metadata } })
    expect(report?.changed.map(({ tokenId }) => tokenId)).toEqual(['0', '20'])
  })
})

const limit = { name: 'indexer_calls_by_day', count: 3, perSeconds: 86_400 } as const

/** An indexer in memory for this number of calls of a request. */
function indexerFor(memory: Memory, calls: number): Pick<Indexer, 'metadata'> {
  const { indexer } = memoryPorts(memory)
  let made = 0
  return {
    async metadata(query) {
      if (made === calls) throw new (made === 0 ? RateLimited : CallsSpent)(limit, 60)
      made += 1
      return await indexer.metadata(query)
    },
  }
}

describe('D78: a refresh whose product has no call of the indexer left', () => {
  test.each([
    [1, 0],
    [2, 100],
    [3, 100],
  ])('D78: goes on in the background after %i calls', async (calls, checked) => {
    const memory = refreshable(250)
    const indexer = indexerFor(memory, calls)
    const [begun] = await refresh(memory, { indexer })
    expect(begun?.state).toMatchObject({ checked, pending: 250 - checked })
    await drain(memory)
    const [whole] = await refresh(memory)
    expect(whole?.state).toMatchObject({ checked: 250, changed: 25, pending: 0 })
  })

  test('D78: is refused before its first call, and prevents no other refresh', async () => {
    const memory = refreshable(250)
    const indexer = indexerFor(memory, 0)
    await expect(refresh(memory, { indexer })).rejects.toThrow(RateLimited)
    expect(memory.queue).toEqual([])
    const [next] = await refresh(memory)
    expect(next?.state).toMatchObject({ checked: 200, pending: 50 })
  })
})
