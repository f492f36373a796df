import type { Network, World } from '../world.ts'
import { latestNumber } from './blocks.ts'
import { undoMovement } from './movements.ts'

/**
 * Replaces the last `blocks` blocks of a chain, so that these and all later blocks get other hashes. Their events come
 * back in the next block (`moved`), or are lost (`dropped`): then their changes of holdings are reverted, together with
 * those of events that wait for their block. `now` is in milliseconds since 1970. Sources of metadata stay as they are.
 */
export function reorganize(
  world: World,
  network: Network,
  { blocks, events: fate }: { blocks: number; events: 'moved' | 'dropped' },
  now: number,
): void {
  const { chain } = world[network]
  const latest = latestNumber(network, now)
  const first = latest - blocks + 1
  const replaced = chain.events.filter(({ block }) => block >= first)
  if (fate === 'moved') {
    for (const event of replaced) event.block = latest + 1
  } else {
    chain.events = chain.events.filter(({ block }) => block < first)
    // The later of two movements of an NFT is reverted first.
    for (const { address, movements } of replaced.reverse()) {
      for (const moved of movements.toReversed()) undoMovement(world, { network, address }, moved)
    }
  }
  chain.reorganizations.push(first)
}
