import { expect, test } from 'vitest'
import type { FollowPosition } from '../../../lib/domain/ports/follow-notes.ts'
import {
  beforeEachCall,
  contract,
  followedForAMinute,
  settings,
} from '../../support/follower/followed.ts'

/** A chain that is followed, and what the follower asks of it. `callMilliseconds`: how long each call takes. */
async function followedWithCalls({ callMilliseconds = 0 } = {}) {
  const followed = await followedForAMinute()
  const { chain, noted, now, sleep, follow } = followed
  /** The last block of each position, the latest one last. */
  const heads: (number | undefined)[] = []
  /** The names of calls, and the numbers of the blocks that were asked for. */
  let calls: unknown[] = []
  const chainEvents = beforeEachCall(chain, async (name, _, number) => {
    calls.push(name === 'block' ? number : name)
    await sleep(callMilliseconds)
  })

  /** Takes a step, and returns the calls that it has made. The next step is 5 s after it has begun. */
  async function poll(): Promise<typeof calls> {
    const next = now() + settings.followPollSeconds * 1_000
    calls = []
    await follow(1, { chainEvents })
    heads.push(noted.position()?.head.number)
    await sleep(next - now())
    return calls
  }
  for (let polls = 0; polls < 8; polls += 1) await poll()

  return {
    ...followed,
    ...{ heads, poll, chainEvents },
    /** Replaces a block and those after it. */
    replaceFrom: async (number = 0) =>
      chain.replace((await chain.head('POLYGON', 0)).number - number + 1),
    /** Polls until it is noticed that blocks were replaced, for a minute at most, and returns the seconds until then. */
    async secondsUntilNoticed(): Promise<number | undefined> {
      const start = now()
      for (let polledAt = start; polledAt < start + 60_000; polledAt = now()) {
        const before = noted.position()
        await poll()
        if (isBegunAnew(before, noted.position())) return (polledAt - start) / 1_000
        // Events of the replaced blocks are confirmed up to here.
        expect((noted.position()?.confirmedUpTo ?? 0) - start).toBeLessThanOrEqual(
          settings.settlingSeconds * 1_000,
        )
      }
      return undefined
    },
  }
}

/** Whether a step knows no block of the one before: it has noticed that blocks were replaced. */
const isBegunAnew = (before: FollowPosition | undefined, after: FollowPosition | undefined) =>
  !after?.blocks.some(({ hash }) => hash === before?.head.hash)

test.each([
  { callMilliseconds: 0, pollsBefore: 3 },
  { callMilliseconds: 500, pollsBefore: 3 },
  { callMilliseconds: 1_200, pollsBefore: 4 },
])(
  'D152: a poll makes three calls, and compares each block once, if a call takes $callMilliseconds ms',
  async ({ callMilliseconds, pollsBefore }) => {
    const { heads, poll } = await followedWithCalls({ callMilliseconds })
    for (let polls = 0; polls < 12; polls += 1) {
      const calls = await poll()
      expect(calls).toEqual(['head', heads.at(-1 - pollsBefore), 'events'])
    }
  },
)

test.each([
  { replaced: 1, branchLate: 0, seconds: 10 },
  { replaced: 1, branchLate: 5_000, seconds: 10 },
  { replaced: 2, branchLate: 5_000, seconds: 5 },
  { replaced: 2, branchLate: 8_000, seconds: 10 },
  { replaced: 5, branchLate: 0, seconds: 0 },
  { replaced: 5, branchLate: 8_000, seconds: 10 },
])(
  'D152: it is noticed $seconds s after it that the last $replaced read blocks were replaced, if nodes know it $branchLate ms later',
  async ({ replaced, branchLate, seconds }) => {
    const { chain, heads, replaceFrom, secondsUntilNoticed } = await followedWithCalls()
    chain.branchLate = branchLate
    await replaceFrom(heads.at(-replaced))
    expect(await secondsUntilNoticed()).toBe(seconds)
  },
)

test('D152: after a pause, the last read block is compared before its events are confirmed', async () => {
  const { chain, heads, sleep, replaceFrom, secondsUntilNoticed } = await followedWithCalls()
  await sleep(180_000)
  await replaceFrom(heads.at(-1))
  chain.branchLate = 5_000
  await sleep(5_000)
  expect(await secondsUntilNoticed()).toBe(0)
})

test('D152: a latest block in the place of the last read one is noticed at once', async () => {
  const { chain, heads, replaceFrom, secondsUntilNoticed } = await followedWithCalls()
  const { number } = await chain.head('POLYGON', 0)
  await replaceFrom(heads.at(-1))
  Object.assign(chain, { behind: number - (heads.at(-1) ?? 0), branchLate: 5_000 })
  expect(await secondsUntilNoticed()).toBe(0)
})

test('D152: a node without the compared block is behind, and nothing is known to be replaced', async () => {
  const { chain, chainEvents, noted, follow } = await followedWithCalls()
  const before = noted.position()
  const { block } = chain
  const [first] = before?.blocks ?? []
  chain.block = async (...query) => (query[1] > (first?.number ?? 0) ? undefined : block(...query))
  expect(await follow(1, { chainEvents })).toMatchObject({ steps: 0, failures: 0 })
  expect(noted.position()).toEqual(before)
})

test('D152: blocks of steps without a pause are compared, although they are not in the overlap any more', async () => {
  const slow = await followedWithCalls({ callMilliseconds: 10 })
  const { chain, chainEvents, noted, notes, now, sleep, follow } = slow
  await sleep(7_000_000)
  Object.assign(chain, { maxBlocks: 10, branchLate: 5_000 })
  const { head } = chain
  let [steps, replacedAt, noticedAt] = [0, 0, 0]
  chain.head = async (...query) => {
    const latest = await head(...query)
    steps += 1
    if (steps !== 4) return latest
    replacedAt = now()
    chain.replace(latest.number - (noted.position()?.head.number ?? 0) + 1)
    return head(...query)
  }
  const moveTo: typeof notes.moveTo = async (...move) => {
    if (replacedAt > 0 && noticedAt === 0 && isBegunAnew(move[3], move[2])) noticedAt = now()
    return notes.moveTo(...move)
  }
  await follow(30, { chainEvents, followNotes: { ...notes, moveTo } })
  expect(noticedAt - replacedAt).toBe(13_080)
})

test('D152: while a block stays the latest one, it is compared without a call', async () => {
  const { chain, poll, heads, watch } = await followedWithCalls()
  // Blocks between known ones are asked for only where events are logged.
  watch(contract, 0)
  const { head, block } = chain
  // A block each 30 s.
  chain.head = async (...query) => {
    const { number } = await head(...query)
    return (await block('POLYGON', number - (number % 15), 0)) as Awaited<ReturnType<typeof head>>
  }
  for (let polls = 0; polls < 10; polls += 1) await poll()
  const calls: unknown[] = []
  for (let polls = 0; polls < 12; polls += 1) {
    calls.push(...(await poll()).filter((call) => typeof call === 'number'))
  }
  // The last read block is old when the next one comes, so that two more polls compare it.
  const [first, second] = [heads.at(-13), heads.at(-7)]
  expect(calls).toEqual([first, first, first, second, second, second])
})
