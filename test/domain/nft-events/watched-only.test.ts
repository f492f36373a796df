import { describe, expect, test } from 'vitest'
import { beforeEachCall, contract, settings } from '../../support/follower/followed.ts'
import { watchedForTwoMinutes } from '../../support/follower/watched.ts'

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
