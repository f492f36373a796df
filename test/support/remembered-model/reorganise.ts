import type { Chain } from '../../../lib/domain/nft/chain.ts'
import { blockOf, lastBlocks, type SimulatedChain } from './simulated-chain.ts'
import { followedChain, type World } from './world.ts'

/** Replaces the blocks of some time on all chains; at least one block. `loses`: transactions can be lost. */
export function reorganise(
  world: World,
  { milliseconds, loses }: { milliseconds: number; loses: boolean },
): void {
  const depth = Math.max(1, Math.floor(milliseconds / world.history.blockMilliseconds))
  for (const [chain, simulated] of world.chains) {
    // Without a poll in between, nobody can know that the indexer has seen a branch that vanished (D66).
    const isSeen = chain !== followedChain || hasFollowed(world, chain, simulated, depth)
    simulated.reorganise(depth, isSeen ? loses : 'nothing')
  }
}

/** Whether the follower has read one of the latest blocks. */
function hasFollowed(
  { time, table }: World,
  chain: Chain,
  { tipAt }: SimulatedChain,
  depth: number,
): boolean {
  const tip = tipAt(time.now())
  const head = table.positions.get(chain)?.head
  const [first] = lastBlocks(tip, depth)
  if (!head || !first || head.number < first.number) return false
  return blockOf(tip, head.number)?.hash === head.hash
}
