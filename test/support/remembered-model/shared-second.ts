import type { Address } from '../../../lib/domain/nft/address.ts'
import { contractAt } from './followed-table.ts'
import type { Followers } from './followers.ts'
import type { HappeningOf } from './history.ts'
import { read } from './readers.ts'
import { chainOf, readLate, sellTo, tokensOf } from './scenarios.ts'
import { followedChain, type World } from './world.ts'

/** The time between two polls, in milliseconds. */
const pollMilliseconds = 5_000

/** The time in which a poll that has begun has ended, almost always, in milliseconds. */
const stepMilliseconds = 1_500

/**
 * Something happens in the second of the last block that a poll reads, on a chain with several blocks in a second. A
 * player reads from an indexer whose data end with an earlier block of this second. `of`: whether an NFT moves, a contract
 * announces new metadata, or an NFT moves whose contract is followed only from that last block on.
 */
export async function shareSecond(
  world: World,
  { player, of }: HappeningOf<'shareSecond'>,
  followers: Followers,
): Promise<void> {
  const { time, history, table, settlingMilliseconds } = world
  if (history.blockMilliseconds >= 1_000) return
  if (of === 'follow') leaseAnother(world)
  else await read(world, player, 0)
  const [token] = tokensOf(world, player)
  if (token === undefined) return
  await followers.nextCall('position')
  // Into one of the last blocks before the next poll.
  await time.sleep(pollMilliseconds - time.between(100, 900))
  const contract = chainOf(world).contractOf[token] as Address
  if (of === 'metadata') chainOf(world).submit({ kind: 'metadata', contract })
  else sellTo(world, [token])
  await followers.nextCall('position')
  await time.sleep(stepMilliseconds)
  const position = table.positions.get(followedChain)
  if (!position) return
  const { number, at } = position.head
  const stated = { statedFrom: at + settlingMilliseconds }
  if (of === 'follow') {
    await untilFirstOfOverlap(world, number)
    // This read asks for the contract to be followed.
    await readLate(world, player, stated, 0)
  } else {
    await time.sleep(stated.statedFrom + stepMilliseconds - time.now())
    await readLate(world, player, stated)
  }
  await time.sleep(time.between(6_000, 9_000))
  await read(world, player, 0)
}

/** Leases a contract in place of all others: without one, the chain would be polled once a minute. */
function leaseAnother({ time, table }: World): void {
  const address = `0x${'9'.repeat(40)}` as Address
  const leasedUntil = time.now() + 86_400_000
  table.contracts.clear()
  table.contracts.set(contractAt(followedChain, address), { address, leasedUntil })
}

/** Waits until a block is the first one that the next poll reads again. */
async function untilFirstOfOverlap({ time, table }: World, number: number): Promise<void> {
  const first = () => table.positions.get(followedChain)?.overlap.blocks[0]?.number ?? 0
  for (let tries = 0; first() < number && tries < 180; tries += 1) await time.sleep(500)
}
