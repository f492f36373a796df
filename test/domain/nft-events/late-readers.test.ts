import { describe, expect, test } from 'vitest'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { ChainStart, EventStart } from '../../../lib/domain/nft-events/event-start.ts'
import { contract, emitTransfers, followedChain } from '../../support/follower/followed.ts'
import {
  blockOf,
  contractOf,
  deployment,
  hour,
  milestones,
  now,
  transferOf,
} from '../../support/nft-events/memory-deployment.ts'

const week = 168 * hour

/** A reader that has seen all before a time, and is at these places of Polygon and of another chain. */
const reader = (
  since: number,
  polygon: ChainStart,
  ...others: [Chain, ChainStart][]
): EventStart => ({
  since,
  chains: new Map<Chain, ChainStart>([['POLYGON', polygon], ...others]),
})

describe('D127: what a reader has not seen within seven days is told as expired', () => {
  const logs = { 'POLYGON 1': [10, 20, 700, 5_000].map((block) => transferOf(block, 1)) }

  test('of a cursor that is old, up to a block of ten minutes later at most', async () => {
    const contracts = [contractOf(1), contractOf(2)]
    const { page } = deployment({ contracts, logs })
    const { shown, next } = await page(reader(now - week, { block: 5 }), { at: now + 900_000 })
    expect(shown).toEqual(['expired 5 to 1199', 'expired 5 to 1199', '5000 1'])
    expect(next).toEqual(reader(blockOf(604_700).at, { block: 604_701 }))
  })

  test('of one that has asked lately, and is behind', async () => {
    const { page } = deployment({ logs })
    const first = await page(reader(now - week, { since: now - week }), { limit: 1 })
    expect([first.shown, first.hasMore]).toEqual([['10 1'], true])
    const { shown } = await page(first.next, { at: now + hour })
    expect(shown).toEqual(['expired 10 to 3599', '5000 1'])
  })

  test('of each chain, also if a page has no room for it', async () => {
    const positions: [Chain, { loggedUpTo: ReturnType<typeof blockOf>; contracts: number }][] = [
      ['POLYGON', { loggedUpTo: blockOf(604_700), contracts: 1 }],
      ['BSC', { loggedUpTo: blockOf(604_700), contracts: 1 }],
    ]
    const { page } = deployment({
      ...{ contracts: [contractOf(1), contractOf(1, 'BSC')], positions },
      logs: {
        'POLYGON 1': [transferOf(400_000, 1), transferOf(400_001, 2)],
        'BSC 1': [transferOf(500_000, 1)],
      },
      allowed: { 'POLYGON 1': [1, 2], 'BSC 1': [1] },
    })
    let start = reader(now - week - hour, { block: 5 }, ['BSC', { block: 5 }])
    const shownAll: string[] = []
    for (let hasMore = true; hasMore; ) {
      const each = await page(start, { limit: 2, at: now + hour })
      shownAll.push(...each.shown)
      ;({ next: start, hasMore } = each)
    }
    expect(shownAll).toEqual([
      ...['expired 5 to 3599', '400000 1', '400001 2'],
      ...['expired 5 to 3599', '500000 1'],
    ])
  })

  test('of one that waits for what happens from a time on', async () => {
    const { page } = deployment({ logs })
    const start = reader(now - week, { since: now - week })
    const { shown } = await page(start, { at: now + hour })
    expect(shown).toEqual(['expired ? to 3599', '5000 1'])
    // Nothing has happened since.
    const later = reader(now - hour, { since: now - hour })
    const loggedUpTo = blockOf(600_000)
    const stopped = deployment({ logs, positions: [['POLYGON', { loggedUpTo, contracts: 1 }]] })
    expect((await stopped.page(later, { at: now + week })).shown).toEqual([])
  })

  test('when DynamoDB has deleted the milestones of before', async () => {
    const at = now + hour
    const left = milestones.filter((each) => each.at > at - week)
    const { page } = deployment({ logs, milestones: left })
    const { shown } = await page(reader(now - week, { block: 5 }), { at })
    expect(shown).toEqual(['expired 5 to 4199', '5000 1'])
  })

  test('and is not told of a reader that has seen all of them', async () => {
    const { page } = deployment({ logs })
    const at = now + hour
    expect((await page(reader(now - week, { block: 3_600 }), { at })).shown).toEqual(['5000 1'])
    expect((await page(reader(now - week, { block: 604_701 }), { at })).shown).toEqual([])
    expect((await page(reader(at - week, { block: 5 }), { at })).shown).toEqual(['5000 1'])
  })
})

test('D127: nothing is told of before the time from which a reader reads, however much that is', async () => {
  const logs = {
    'POLYGON 1': Array.from({ length: 300 }, (_, index) => transferOf(604_210 + index, 1)),
  }
  const { page } = deployment({ logs })
  const since = blockOf(604_500).at
  let start: EventStart = { since, chains: new Map() }
  const shownAll: string[] = []
  let pages = 0
  for (let hasMore = true; hasMore; pages += 1) {
    const each = await page(start)
    shownAll.push(...each.shown)
    ;({ next: start, hasMore } = each)
  }
  expect([shownAll.length, shownAll[0], pages > 1]).toEqual([10, '604500 1', true])
})

/** A chain that nobody uses, with its polls once a minute, and the calls for a block. */
async function polledEachMinute(minutes: number) {
  const followed = followedChain()
  const { chain, follow, sleep } = followed
  const calls = { block: 0 }
  const chainEvents: typeof chain = {
    ...chain,
    block: (...query) => {
      calls.block += 1
      return chain.block(...query)
    },
  }
  /** Polls once, and waits. */
  const pollThenWait = async (seconds: number) => {
    await follow(1, { chainEvents })
    await sleep(seconds * 1_000)
  }
  for (let minute = 0; minute < minutes; minute += 1) await pollThenWait(60)
  return { ...followed, calls, pollThenWait }
}

test.each([1, 30, 55].flatMap((before) => [0, 3].map((polls) => [polls, before] as const)))(
  'D125: after %i polls, one in a minute, an event %i s before the next one is logged within 80 s',
  async (polls, before) => {
    const { chain, watch, logged, now, sleep, pollThenWait } = await polledEachMinute(polls)
    watch(contract)
    emitTransfers(chain, contract)
    const emittedAt = now()
    await sleep(before * 1_000)
    const isLogged = () => logged(contract).some(({ content }) => content.kind === 'transfer')
    let loggedAt = now()
    for (let count = 0; count < 40 && !isLogged(); count += 1) {
      loggedAt = now()
      await pollThenWait(5)
    }
    expect(isLogged()).toBe(true)
    expect((loggedAt - emittedAt) / 1_000).toBeLessThanOrEqual(80)
  },
)

test('D125: the first poll of a watched chain whose polls were rare asks for twelve blocks, which a later one compares, and the others for none', async () => {
  const { calls, watch, pollThenWait } = await polledEachMinute(3)
  watch(contract)
  const reads: number[] = []
  for (let poll = 0; poll < 20; poll += 1) {
    calls.block = 0
    await pollThenWait(5)
    reads.push(calls.block)
  }
  // Each poll compares a block.
  expect(reads).toEqual([1 + 12, 1, 1 + 11, ...Array.from({ length: 17 }, () => 1)])
})
