import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { everyTokenId } from '../../../lib/domain/allowlist/token-ranges.ts'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import type { Indexer } from '../../../lib/domain/ports/indexer.ts'
import { processWorkItem } from '../../../lib/domain/work/process-work-item.ts'
import type { ProductWork } from '../../../lib/domain/work/work-item.ts'
import { killEverywhere } from '../../support/memory/interruptions.ts'
import { memoryPorts, type Tap } from '../../support/memory/memory-ports.ts'
import {
  countsOf,
  drain,
  later,
  range,
  refresh,
  refreshAgain,
  stateOf,
  withRanges,
} from '../../support/memory/refreshing.ts'
import { checkAsync } from '../../support/vitest/seeded.ts'

describe('D38, D59: a refresh of ranges that dies does not forget what has changed', () => {
  const singles = [1_000, 1_010]
  const changedOf = (count: number) =>
    Array.from({ length: Math.ceil(count / 10) }, (_, index) => index * 10)

  test('D38: the next refresh reports the changes, wherever the request was killed', async () => {
    const moments = await killEverywhere(
      () => withRanges(150, [everyTokenId]),
      async (memory, tap) => await refresh(memory, { tap }),
      async (memory, moment) => {
        const reported = [...memory.refreshes.values()].some(({ pending }) => pending === 0)
        const [next] = await refreshAgain(memory)
        const changed = next?.changed.map(({ tokenId }) => Number(tokenId)) ?? []
        if (reported) expect(changed).toEqual([])
        else {
          expect(changed, `killed at moment ${moment}`).toEqual(
            expect.arrayContaining(changedOf(150)),
          )
        }
      },
    )
    expect(moments).toBeGreaterThan(10)
  })

  test('D38, D59: wherever a delivery was killed, another one completes it, and after none no change is lost', async () => {
    await killEverywhere(
      () => withRanges(350, [range(0, 999)], singles),
      async (memory, tap) => {
        await refresh(memory)
        const item = memory.queue[0] as ProductWork
        await processWorkItem(item, later(), memoryPorts(memory, tap))
      },
      async (memory, moment) => {
        const forGood = structuredClone({ ...memory, queue: [] })
        await drain(memory)
        expect(stateOf(memory)).toMatchObject({ checked: 352, failed: 7 + 2, pending: 0 })
        const before = stateOf(forGood)?.changed ?? 0
        const isDone = stateOf(forGood)?.pending === 0
        await refreshAgain(forGood)
        await drain(forGood)
        const after = stateOf(forGood)
        expect(after, `killed at moment ${moment}`).toMatchObject({ checked: 352, pending: 0 })
        // A stored report has counted the changes.
        if (isDone) expect(before).toBe(35)
        else expect(before + (after?.changed ?? 0)).toBeGreaterThanOrEqual(35)
      },
    )
  })

  test('D38: NFTs that an interrupted refresh has counted are not counted again', async () => {
    const memory = withRanges(350, [everyTokenId])
    await refresh(memory)
    memory.queue.length = 0
    await refreshAgain(memory)
    await drain(memory)
    // The first refresh has counted 20 changes in 200 NFTs, and 15 follow in the other 150.
    expect(stateOf(memory)).toMatchObject({ checked: 350, changed: 15, pending: 0 })
  })

  test('D38: if the pages are in no order, all NFTs that were fetched since can have changed', async () => {
    const memory = withRanges(350, [everyTokenId])
    const { indexer } = memoryPorts(memory)
    const backwards = ({ tokenIds, ...page }: Awaited<ReturnType<Indexer['contractNfts']>>) => ({
      ...page,
      tokenIds: tokenIds.map((tokenId) => `${349 - Number(tokenId)}` as TokenId),
    })
    const contractNfts: Indexer['contractNfts'] = async (query) =>
      backwards(await indexer.contractNfts(query))
    await refresh(memory, { indexer: { contractNfts } })
    expect(stateOf(memory)?.contractPages).not.toHaveProperty('upTo')
    memory.queue.length = 0
    await refreshAgain(memory)
    await drain(memory)
    expect(stateOf(memory)?.changed).toBeGreaterThanOrEqual(15)
    expect(stateOf(memory)).toMatchObject({ checked: 350, pending: 0 })
  })

  test.each([
    ['page', 'contractNfts'],
    ['metadata', 'metadata'],
  ] as const)(
    'D31, D59: a failure of the second %s keeps the first 100 NFTs',
    async (_, method) => {
      const memory = withRanges(250, [everyTokenId])
      const { indexer } = memoryPorts(memory)
      let calls = 0
      const failing = {
        [method]: async (query: never) => {
          calls += 1
          if (calls > (method === 'metadata' ? 2 : 1)) throw new IndexerUnavailable('test')
          return await indexer[method](query)
        },
      }
      const [report] = await refresh(memory, { indexer: failing })
      expect(report?.state).toMatchObject({ ...countsOf(100), pending: 1 })
      await drain(memory)
      expect(stateOf(memory)).toMatchObject({ checked: 250, pending: 0 })
    },
  )

  test('D30, D59: a failure of the first page undoes the refresh', async () => {
    const memory = withRanges(250, [everyTokenId])
    const contractNfts = () => Promise.reject(new IndexerUnavailable('test'))
    await expect(refresh(memory, { indexer: { contractNfts } })).rejects.toThrow(IndexerUnavailable)
    expect(stateOf(memory)).toMatchObject({ isAbandoned: true })
    expect(memory.queue).toEqual([])
  })

  test('D59: each NFT counts once for any order of the steps of a request and two deliveries', async () => {
    await checkAsync(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const memory = withRanges(310, [range(0, 299)], [300, 301, 302])
        const deliveries: Promise<unknown>[] = []
        const step: Tap = (call, when) =>
          when === 'before' ? scheduler.schedule(Promise.resolve(), call) : undefined
        const tap: Tap = (call, when) => {
          if (call === 'workQueue.send' && when === 'after') {
            const [item] = memory.queue.splice(0)
            for (let copy = 0; copy < 2; copy += 1) {
              deliveries.push(
                processWorkItem(item as ProductWork, later(), memoryPorts(memory, step)),
              )
            }
          }
          return step(call, when)
        }
        await scheduler.waitFor(refresh(memory, { tap }))
        await scheduler.waitFor(Promise.all(deliveries))
        expect(stateOf(memory)).toMatchObject({ checked: 303, failed: 6, pending: 0 })
      }),
      100,
    )
  })

  test('D59: a repeat before the first report returns one pending NFT', async () => {
    const memory = withRanges(30, [everyTokenId])
    let again: Awaited<ReturnType<typeof refresh>> = []
    const tap: Tap = async (call, when) => {
      if (call === 'indexer.contractNfts' && when === 'before') again = await refresh(memory)
    }
    await refresh(memory, { tap })
    expect(again[0]?.state).toMatchObject({ checked: 0, pending: 1 })
  })
})
