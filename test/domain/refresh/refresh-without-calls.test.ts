import { describe, expect, test } from 'vitest'
import { RateLimited } from '../../../lib/domain/failures.ts'
import { CallsSpent } from '../../../lib/domain/limit/reservation.ts'
import type { Indexer } from '../../../lib/domain/ports/indexer.ts'
import { processWorkItem } from '../../../lib/domain/work/process-work-item.ts'
import type { ProductWork } from '../../../lib/domain/work/work-item.ts'
import { type Memory, memoryPorts } from '../../support/memory/memory-ports.ts'
import { refresh, refreshable } from '../../support/memory/refreshing.ts'

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
    const [item] = memory.queue.splice(0) as [ProductWork]
    await processWorkItem(item, Date.now() + 20_000, memoryPorts(memory))
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
