import type { HappeningOf } from './history.ts'
import { expectKnown } from './oracle.ts'
import { read } from './readers.ts'
import { sellTo, tokensOf } from './scenarios.ts'
import { goodNodes } from './simulated-events.ts'
import type { World } from './world.ts'

/** The time between two polls, in milliseconds. */
const pollMilliseconds = 5_000

/** Longer than a reading needs to settle, and than the follower needs to notice what happened before. */
const settledMilliseconds = 45_000

/**
 * An NFT moves while each node that is asked can be as far as a poll behind the others: the one that answers with the
 * events can lack the latest block. A player reads again and again, and each answer is judged to the second.
 */
export async function nodeBehind(
  world: World,
  { player }: HappeningOf<'nodeBehind'>,
): Promise<void> {
  const { time, nodes, indexer } = world
  const moods = { nodes: { ...nodes }, indexer: { ...indexer } }
  Object.assign(nodes, { ...goodNodes, behind: pollMilliseconds })
  Object.assign(indexer, { isDown: false, isRefused: false, statedAge: 0, lag: 'none' })
  await read(world, player, 0)
  await time.sleep(settledMilliseconds)
  await read(world, player, 0)
  sellTo(world, tokensOf(world, player).slice(0, 1))
  for (let reads = 0; reads < 12; reads += 1) {
    await time.sleep(time.between(300, 1_500))
    const answer = await read(world, player, 0)
    if (!answer.failure) expectKnown(world, answer)
  }
  Object.assign(nodes, moods.nodes)
  Object.assign(indexer, moods.indexer)
}
