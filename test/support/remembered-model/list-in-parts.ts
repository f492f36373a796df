import type { HappeningOf } from './history.ts'
import { readPages } from './page-reader.ts'
import { read } from './readers.ts'
import { noCache, sellTo, tokensOf } from './scenarios.ts'
import { tamper } from './tampering.ts'
import { type World, walletAddresses } from './world.ts'

/**
 * A player's NFTs are read in parts, past what is remembered, while one of them moves. The process of a request can end
 * before or after one of its writes, and its client then asks again. What was kept is used again, all at once and in parts.
 * `loses`: parts are lost while they are written, and after it.
 */
export async function listInParts(
  world: World,
  { player, call, loses }: HappeningOf<'listInParts'>,
): Promise<void> {
  const { time, settlingMilliseconds } = world
  await read(world, player, 0)
  await time.sleep(6_000)
  world.killReaderAt = call
  // With the longest pauses, nothing that moves after the first page is in doubt for the last one.
  const pause = time.pick([2_000, 15_000, 3 * settlingMilliseconds])
  const list = readPages(world, { player, cacheControl: noCache, limit: time.between(1, 2), pause })
  // An error is found after the movement.
  list.catch(() => undefined)
  await time.sleep(time.between(500, pause))
  const tokens = tokensOf(world, player)
  sellTo(world, time.isOneOf(2) ? tokens.slice(0, 1) : tokens.slice(-1), time.pick(walletAddresses))
  if (loses) {
    await time.sleep(time.between(0, pause))
    tamper(world, 'parts')
  }
  await list
  world.killReaderAt = undefined
  await time.sleep(time.between(0, 8_000))
  await read(world, player, 0)
  await time.sleep(time.between(5_000, 40_000))
  if (loses) tamper(world, 'parts')
  for (let lists = 0; lists < 3; lists += 1) {
    // What a list has noted of a part that is lost is then there.
    await time.sleep(3_000)
    await readPages(world, { player, cacheControl: 0, limit: time.between(1, 4), pause: 1_000 })
  }
  await read(world, player, 0)
}
