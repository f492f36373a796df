import { describe, expect, test } from 'vitest'
import { beforeEachCall, contract, other, settings } from '../../support/follower/followed.ts'
import { watchedForTwoMinutes } from '../../support/follower/watched.ts'

describe('D117: contracts that are watched only', () => {
  test('are polled as often as those that are read, and nothing is noted for readers', async () => {
    const { chain, table, noted, emit, follow } = await watchedForTwoMinutes()
    chain.asked = []
    emit(contract)
    await follow(60)
    expect(chain.asked).toHaveLength(60 / settings.followPollSeconds)
    expect([table.moved.size, noted.contract(contract)?.since]).toEqual([0, undefined])
  })

  test('are left first when a step would hold too much', async () => {
    const { chain, ask, emit, watch, noted, follow } = await watchedForTwoMinutes()
    watch(contract, 0)
    ask(contract)
    watch(other)
    await follow(6)
    chain.maxEvents = 100_000
    emit(contract, 60)
    emit(other, 1, 4_950)
    await follow(11)
    expect([
      noted.contract(other)?.suspendedUntil,
      noted.contract(contract)?.suspendedUntil,
    ]).toEqual([expect.any(Number), undefined])
  })

  test('cost one write in a step without events', async () => {
    const { notes, follow } = await watchedForTwoMinutes()
    const writes: string[] = []
    const followNotes = beforeEachCall(notes, async (call) => void writes.push(call))
    await follow(1, { followNotes })
    expect(
      writes.filter((call) => !['position', 'contracts', 'lease', 'release'].includes(call)),
    ).toEqual(['noteMovements', 'noteMetadata', 'log', 'noteContracts', 'moveTo'])
  })
})
