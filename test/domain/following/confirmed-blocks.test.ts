import { expect, test } from 'vitest'
import { followedForAMinute } from '../../support/follower/followed.ts'

/** A chain that was followed for a minute. Blocks of later steps are known by their times. */
async function followed() {
  const all = await followedForAMinute()
  const { noted, sleep, follow } = all
  return {
    ...all,
    headAt: () => noted.position()?.head.at ?? 0,
    confirmedUpTo: () => noted.position()?.confirmedUpTo ?? 0,
    /** Takes a step, some seconds after the last one. */
    async step(seconds: number): Promise<void> {
      await sleep(seconds * 1_000)
      await follow(1)
    },
  }
}

test('D152: a poll confirms the block up to which the poll before had read', async () => {
  const { step, headAt, confirmedUpTo } = await followed()
  await step(5)
  const before = headAt()
  await step(5)
  expect(confirmedUpTo()).toBe(before)
  expect(headAt()).toBeGreaterThan(before)
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
