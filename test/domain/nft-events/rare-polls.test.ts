import { expect, test } from 'vitest'
import { contract, followedChain } from '../../support/follower/followed.ts'
import { emitTransfers } from '../../support/follower/watched.ts'

/** A chain that nobody uses, with its polls once a minute, and the calls for a block. */
async function polledEachMinute(minutes: number) {
  const followed = followedChain()
  const { chain, follow, sleep } = followed
  const calls = { block: 0 }
  const chainEvents: typeof chain = {
    ...chain,
    block: (...asked) => {
      calls.block += 1
      return chain.block(...asked)
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

test.each([
  [0, 1],
  [0, 30],
  [0, 55],
  [3, 1],
  [3, 30],
  [3, 55],
])(
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
  const asked: number[] = []
  for (let poll = 0; poll < 20; poll += 1) {
    calls.block = 0
    await pollThenWait(5)
    asked.push(calls.block)
  }
  // Each poll compares a block.
  expect(asked).toEqual([1 + 12, 1, 1 + 11, ...Array.from({ length: 17 }, () => 1)])
})
