import type { Followers } from './followers.ts'
import type { HappeningOf } from './history.ts'
import { read } from './readers.ts'
import { reorganise } from './reorganise.ts'
import { readLate, sellTo, tokensOf } from './scenarios.ts'
import { longestArrivalMilliseconds } from './simulated-chain.ts'
import { type World, walletAddresses } from './world.ts'

/**
 * An NFT moves, and its block vanishes while a poll waits for a slow node, which answers the first calls of the poll from
 * one branch and the others from the other. A player reads when the data of an indexer that is late are of a moment between
 * the beginning of the poll and the reorganisation. `isMixed`: some nodes change to the other branch later than others.
 */
export async function switchBranch(
  world: World,
  { player, to, isMixed }: HappeningOf<'switchBranch'>,
  followers: Followers,
): Promise<void> {
  const { time, history, nodes, settlingMilliseconds } = world
  const start = time.now()
  await read(world, player, 0)
  // The movement of another NFT, which the other branch has too, would put the reading in doubt.
  sellTo(world, tokensOf(world, player).slice(0, 1), walletAddresses[to])
  const blockLater = history.blockMilliseconds + longestArrivalMilliseconds
  // A poll has seen it.
  await time.sleep(blockLater + 5_000)
  const mood = { ...nodes }
  Object.assign(nodes, { isDown: false, delay: 0, behind: isMixed ? 5_000 : 0 })
  await followers.nextCall('position')
  const polledAt = time.now()
  nodes.latency = 11_000
  await time.sleep(time.between(2_000, 5_000))
  const vanishesAt = time.now()
  const milliseconds = vanishesAt - start + history.blockMilliseconds
  reorganise(world, { milliseconds, loses: true })
  nodes.latency = 100
  const statedFrom = time.between(polledAt, vanishesAt - 1_000) + settlingMilliseconds
  await time.sleep(statedFrom + blockLater - time.now())
  Object.assign(nodes, mood)
  await readLate(world, player, { statedFrom })
  await time.sleep(time.between(8_000, 40_000))
  await read(world, player, 0)
}
