import type { Followers } from './followers.ts'
import type { HappeningOf } from './history.ts'
import { read } from './readers.ts'
import { chainOf, noCache, sellTo } from './scenarios.ts'
import { lastBlocks, longestArrivalMilliseconds } from './simulated-chain.ts'
import { goodNodes } from './simulated-events.ts'
import { unstatedMilliseconds } from './simulated-indexer.ts'
import { playerWallets, type World } from './world.ts'

/** The slowest blocks that come and are replaced between two polls, in milliseconds. */
const slowestBlockMilliseconds = 2_000

/**
 * An NFT comes to a player in a block that is replaced before the next poll, and does not come again. An indexer has read
 * the block, and no poll has. The answer is kept, and is used again later than the settling time. `isMixed`: the answer can
 * also have pages of earlier blocks, which are not replaced.
 */
export async function betweenPolls(
  world: World,
  { player, token, isMixed }: HappeningOf<'betweenPolls'>,
  followers: Followers,
): Promise<void> {
  const { time, history, nodes, indexer } = world
  if (history.blockMilliseconds > slowestBlockMilliseconds) return
  const moods = { nodes: { ...nodes }, indexer: { ...indexer } }
  Object.assign(nodes, goodNodes)
  Object.assign(indexer, { isDown: false, isRefused: false, statedAge: 0, lag: 'none' })
  indexer.latency = 50
  await read(world, player, 0)
  await time.sleep(6_000)
  await followers.nextCall('movedTo')
  const start = time.now()
  sellTo(world, [token], playerWallets[player]?.[0])
  if (isMixed) indexer.latency = history.blockMilliseconds
  else await time.sleep(history.blockMilliseconds + longestArrivalMilliseconds)
  await read(world, player, noCache)
  const blocks = Math.ceil((time.now() - start) / history.blockMilliseconds) + 1
  chainOf(world).reorganise(isMixed ? blocksSinceMove(world, blocks) : blocks, 'all')
  await time.sleep(world.settlingMilliseconds + time.between(10_000, 40_000))
  await read(world, player, 0)
  await read(world, player, 0)
  // Until then, a late indexer can state a block of the new branch with data of the one that has vanished (D66).
  await time.sleep(unstatedMilliseconds)
  Object.assign(indexer, moods.indexer)
  Object.assign(nodes, moods.nodes)
}

/** How many of the latest blocks there are from the first one with a movement on; all of them if none has one. */
function blocksSinceMove(world: World, count: number): number {
  const blocks = lastBlocks(chainOf(world).tipAt(world.time.now()), count)
  const moved = blocks.findIndex(({ transactions }) => transactions.length > 0)
  return moved < 0 ? count : blocks.length - moved
}
