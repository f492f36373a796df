import { describe, expect, test } from 'vitest'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import {
  contract,
  emitTransfers,
  followedForAMinute,
  lastBlock,
  other,
  watchedForTwoMinutes,
} from '../../support/follower/followed.ts'

/** A chain that was followed for a minute. */
async function followed() {
  const all = await followedForAMinute()
  const { noted, sleep, follow } = all
  return {
    ...all,
    headAt: () => noted.position()?.head.at ?? 0,
    confirmedUpTo: () => noted.position()?.confirmedUpTo ?? 0,
    /** Takes a step, some seconds after the last one. */
    async step(seconds: number) {
      await sleep(seconds * 1_000)
      return await follow(1)
    },
  }
}

type Followed = Awaited<ReturnType<typeof followed>>

test('D152: the follower of a chain notes the last block that is read, and how far it confirms', async () => {
  const { now, follow, headAt, confirmedUpTo } = await followed()
  expect(await follow(6)).toMatchObject({ steps: 2, failures: 0, readUpTo: headAt() })
  expect(now() - headAt()).toBeLessThan(5_000)
  expect(now() - confirmedUpTo()).toBeLessThan(12_000)
})

describe('D152: the position does not move', () => {
  test.each<[string, number, number, (chain: Followed['chain']) => void]>([
    ['when the source is behind it', 2, 0, (chain) => Object.assign(chain, { behind: 10 })],
    ['to a time of the future', 5, 1, (chain) => Object.assign(chain, { ahead: 60_000 })],
    [
      'to a time before its own, which would shorten the overlap',
      ...([5, 1] as const),
      (chain) => {
        const { head } = chain
        chain.head = async (...query) => ({ ...(await head(...query)), at: 0 })
      },
    ],
  ])('%s', async (_, seconds, failures, change) => {
    const { chain, noted, step } = await followed()
    const before = noted.position()
    change(chain)
    expect(await step(seconds)).toMatchObject({ steps: 0, failures })
    expect(noted.position()).toEqual(before)
  })

  test('past the time of the latest block, however late it is', async () => {
    const { chain, now, step, headAt } = await followed()
    chain.behind = 100
    await step(300)
    expect(headAt()).toBe(Math.floor(now() / 2_000) * 2_000 - 200_000)
  })

  test('past the clock, whatever time a block states', async () => {
    const { chain, now, sleep, follow, headAt } = await followed()
    // More blocks than one step reads, so that the last block of the step is not the latest one.
    await sleep(5_000_000)
    const block = async (...[, number]: Parameters<typeof chain.block>) => {
      const found = await chain.block('POLYGON', number, 0)
      return found && { ...found, at: found.at * 1_000 }
    }
    expect(await follow(1, { chainEvents: { ...chain, block } })).toMatchObject({ failures: 1 })
    await follow(1)
    expect(headAt()).toBeLessThan(now())
  })
})

describe('D152: answers that are too large', () => {
  test('ranges are halved, and a gap of an hour is read completely', async () => {
    const { chain, logged, now, sleep, follow, headAt, holes } = await followed()
    for (let minute = 1; minute <= 60; minute += 1) {
      await sleep(60_000)
      emitTransfers(chain, contract)
    }
    chain.maxBlocks = 10
    expect(await follow(120)).toMatchObject({ failures: 0 })
    expect(now() - headAt()).toBeLessThan(10_000)
    expect(logged(contract)).toHaveLength(1 + 60)
    expect(holes()).toEqual([])
  })

  test('a contract whose events are refused even for one block is suspended, and the others are followed', async () => {
    const { chain, noted, watch, now, follow, holes } = await followedForAMinute()
    watch(other)
    chain.maxEvents = 3
    emitTransfers(chain, contract, { count: 4 })
    emitTransfers(chain, other)
    expect(await follow(6)).toMatchObject({ failures: 0, refused: 1, busy: 0 })
    expect(noted.contract(contract)).toMatchObject({ isLogged: undefined })
    expect(noted.contract(contract)?.suspendedUntil).toBeGreaterThan(now() + 3_500_000)
    expect(noted.position()?.log?.seen).toEqual({ [other]: [lastBlock(chain)] })
    expect(holes()).toEqual([])
  })

  test('a contract with more events than followLogsPerMinute is not followed for an hour', async () => {
    const { chain, noted, step, holes } = await followed()
    chain.maxEvents = 10_000
    emitTransfers(chain, contract, { count: 600 })
    expect(await step(5)).toMatchObject({ busy: 0 })
    emitTransfers(chain, contract, { count: 2_000 })
    expect(await step(5)).toMatchObject({ busy: 1, refused: 0 })
    expect(noted.contract(contract)?.isLogged).toBeUndefined()
    await step(3_500)
    expect(noted.contract(contract)?.isLogged).toBeUndefined()
    await step(101)
    expect(noted.contract(contract)?.isLogged).toBe(true)
    expect(holes()).toEqual([])
  })

  test('a contract with more events than an item takes is not asked for to the end of the step', async () => {
    const { chain, noted, watch, sleep, follow, holes } = await followedForAMinute()
    watch(other)
    for (let block = 0; block < 16; block += 1) {
      emitTransfers(chain, contract, { count: 400 })
      emitTransfers(chain, other)
      await sleep(2_000)
    }
    chain.queries = []
    expect(await follow(1)).toMatchObject({ busy: 1, refused: 0 })
    const answered = chain.queries.filter(({ from, to }) => to - from < 3)
    const both = answered.filter(({ contracts }) => contracts === 2).map(({ to }) => to)
    const alone = answered.filter(({ contracts }) => contracts === 1).map(({ to }) => to)
    expect(alone.at(-1)).toBe(noted.position()?.head.number)
    expect(both).not.toContain(noted.position()?.head.number)
    expect(holes()).toEqual([])
  })

  test('many contracts are asked for in several lists', async () => {
    const { chain, noted, watch, step } = await followed()
    for (let number = 1; number <= 450; number += 1) watch(addressOf(number))
    emitTransfers(chain, addressOf(450))
    chain.queries = []
    await step(5)
    expect(chain.queries.map(({ contracts }) => contracts)).toEqual([200, 200, 50])
    expect(noted.position()?.log?.seen).toHaveProperty(addressOf(450))
  })
})

test('D152: what a follower has read just before is confirmed by the poll after it only', async () => {
  const { step, headAt, confirmedUpTo } = await followed()
  await step(5)
  const confirmed = confirmedUpTo()
  await step(4)
  expect(confirmedUpTo()).toBe(confirmed)
  const before = headAt()
  await step(5)
  expect(confirmedUpTo()).toBe(before)
})

test('D152: steps without a pause confirm nothing that they read', async () => {
  const { chain, now, sleep, follow, headAt, confirmedUpTo } = await followed()
  await sleep(7_000_000)
  chain.maxBlocks = 10
  const { steps } = await follow(1)
  expect(steps).toBeGreaterThan(1)
  expect(now() - headAt()).toBeLessThan(5_000)
  expect(now() - confirmedUpTo()).toBeGreaterThan(6_900_000)
})

test('D152: what is confirmed never goes back, also after a reorganization', async () => {
  const { chain, step, confirmedUpTo } = await followed()
  await step(5)
  const confirmed = confirmedUpTo()
  chain.replace(20)
  await step(5)
  expect(confirmedUpTo()).toBeGreaterThanOrEqual(confirmed)
})

test('D152: a follower that begins confirms the beginning of the overlap', async () => {
  const { table, noted, now, step, confirmedUpTo } = await followed()
  table.positions.clear()
  await step(600)
  expect(confirmedUpTo()).toBe(noted.position()?.blocks[0]?.at)
  expect(now() - confirmedUpTo()).toBeGreaterThan(60_000)
})

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
