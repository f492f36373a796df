import { describe, expect, test } from 'vitest'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import { contract, followedForAMinute } from '../../support/follower/followed.ts'
import { watchedForTwoMinutes } from '../../support/follower/watched.ts'

describe('D139: a contract whose events the source refuses', () => {
  test('is suspended for an hour, also as the only one, and is counted and told apart from a busy one', async () => {
    const { chain, emit, entries, follow } = await watchedForTwoMinutes()
    const reasons = () =>
      entries().map(({ content }) => ('reason' in content ? content.reason : content.kind))
    chain.maxEvents = 3
    emit(contract, 4)
    expect(await follow(6)).toMatchObject({ failures: 0, refused: 1, busy: 0 })
    expect(reasons()).toEqual(['refused'])
    chain.maxEvents = 1_000
    expect(await follow(3_500)).toMatchObject({ refused: 1, busy: 0 })
    expect(await follow(200)).toMatchObject({ refused: 0, busy: 0 })
    emit(contract)
    await follow(90)
    emit(contract, 999)
    expect(await follow(6)).toMatchObject({ refused: 0, busy: 1 })
    await follow(3_700)
    expect(reasons()).toEqual(['refused', 'refused', 'transfer', 'busy', 'busy'])
  })

  test('is not counted once nobody reads or watches it', async () => {
    const { chain, emit, watch, follow } = await watchedForTwoMinutes()
    chain.maxEvents = 3
    emit(contract, 4)
    expect(await follow(6)).toMatchObject({ refused: 1 })
    watch(contract, 0)
    expect(await follow(6)).toMatchObject({ refused: 0, busy: 0 })
  })

  test('is no contract of a node that fails in another way', async () => {
    const { chain, noted, sleep, follow, holes } = await followedForAMinute()
    const events = async () => {
      throw new IndexerUnavailable('HTTP 400: the block is not there yet')
    }
    await sleep(5_000)
    expect(await follow(7, { chainEvents: { ...chain, events } })).toMatchObject({
      ...{ steps: 0, failures: 2, busy: 0, refused: 0 },
      reason: 'HTTP 400: the block is not there yet',
    })
    expect(noted.contract(contract)?.suspendedUntil).toBeUndefined()
    expect(await follow(1)).toMatchObject({ steps: 1, failures: 0 })
    expect(holes()).toEqual([])
  })
})
