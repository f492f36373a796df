import { describe, expect, test } from 'vitest'
import { beforeEachCall, contract, other, settings } from '../../support/follower/followed.ts'
import { lastBlock, watchedForTwoMinutes } from '../../support/follower/watched.ts'

describe('D117: contracts that are watched only', () => {
  test('are polled as often as those that are read, and nothing is shown to readers', async () => {
    const { chain, table, emit, follow } = await watchedForTwoMinutes()
    chain.asked = []
    emit(contract)
    await follow(60)
    expect(chain.asked).toHaveLength(60 / settings.followPollSeconds)
    expect(table.readers.size).toBe(0)
  })

  test('cost one write in a step without events', async () => {
    const { notes, follow } = await watchedForTwoMinutes()
    const writes: string[] = []
    const followNotes = beforeEachCall(notes, async (call) => void writes.push(call))
    await follow(1, { followNotes })
    expect(
      writes.filter((call) => !['position', 'contracts', 'lease', 'release'].includes(call)),
    ).toEqual(['log', 'noteContracts', 'moveTo'])
  })
})

test('D122: webhooks are told once in a poll of the contracts that they are told of, when readers see the events', async () => {
  const { chain, emit, watch, follow, loggedUpTo } = await watchedForTwoMinutes()
  const told: unknown[] = []
  const webhookSignals = {
    logged: async (...signal: unknown[]) => void told.push([...signal, loggedUpTo()]),
    connected: async () => undefined,
  }
  watch(contract, 86_400_000, { isPushed: true })
  // Of this one, a server asks for the events.
  watch(other)
  await follow(80, { webhookSignals })
  expect(told).toEqual([])
  emit(contract, 3)
  emit(other)
  const block = lastBlock(chain)
  await follow(60, { webhookSignals })
  expect(told).toEqual([])
  await follow(20, { webhookSignals })
  expect(told).toEqual([['POLYGON', [contract], expect.any(Number)]])
  expect((told as [string, string[], number][])[0]?.[2]).toBeGreaterThanOrEqual(block)
})
