import { CursorExpired, IndexerUnavailable, RateLimited } from '../../../lib/domain/failures.ts'
import { readPlayerNfts } from '../../../lib/domain/player/player-nfts.ts'
import { beginPlayerNfts } from '../../../lib/domain/player/player-nfts-beginning.ts'
import type { Cursors } from '../../../lib/domain/ports/cursors.ts'
import { acceptedAgeOf } from '../../../lib/http/cache-control.ts'
import { memoryCursors, memoryPorts } from '../memory/memory-ports.ts'
import { productId } from '../memory/owned-nfts.ts'
import type { Turn } from './followed-table.ts'
import { memoryKeptReadings } from './memory-kept-readings.ts'
import { type Answer, expectFresh, expectHeld, expectThat } from './oracle.ts'
import { type AskedCall, type CallerWish, callerWishes, sliceOf } from './reads.ts'
import { simulatedEvents } from './simulated-events.ts'
import { simulatedIndexer } from './simulated-indexer.ts'
import { followedChain, noteStated, playerWallets, type World } from './world.ts'

/** A request of a player. */
interface PlayerRequest {
  player: number
  /** The place of what the caller wishes in {@link callerWishes}. */
  cacheControl: number
  limit?: number
  cursor?: string | undefined
}

type Outcome = Answer & { nextCursor?: string | undefined; failure?: unknown }

/** Reads a player's NFTs once, as an operation does, and notes what it asks of the indexer. */
export async function request(
  world: World,
  { player, cacheControl, ...part }: PlayerRequest,
): Promise<Outcome> {
  const { time, table, history, memory, counts } = world
  const wallets = playerWallets[player] as Answer['wallets']
  const wish = callerWishes[cacheControl % callerWishes.length] as CallerWish
  const start = time.now()
  const calls: AskedCall[] = []
  const fetches = new Map(world.refreshed)
  const { turn, died } = mortal(world)
  const indexer = simulatedIndexer(world, (call) => {
    calls.push(call)
    noteStated(world, call)
  })
  const ports = memoryPorts(memory, (call, when) => (when === 'before' ? turn(call) : undefined))
  const settings = {
    followedChains: [followedChain] as const,
    rememberSeconds: history.rememberSeconds,
    rememberFollowedSeconds: history.rememberFollowedSeconds,
    settlingSeconds: world.settlingMilliseconds / 1_000,
  }
  const outcome = { wallets, wish, start, calls, fetches }
  const keptReadings = memoryKeptReadings(table, settings, time.now, turn)
  const acceptedAge = acceptedAgeOf(wish.header)
  try {
    const answer = readPlayerNfts(
      {
        ...{ operation: 'getRawMetadata', productId, deadline: start + 24_000, ...part },
        player: { userId: player, username: `${player}`, wallets: [...wallets] },
        acceptedAge,
        begun: beginPlayerNfts({ productId, acceptedAge }, { ...ports, keptReadings }),
      },
      { render: (nft) => ({ entry: nft, size: 100 }), maxSize: 1_000_000 },
      {
        ...{ contracts: ports.contracts, allowedTokenIds: ports.allowedTokenIds, indexer },
        cursors: expiringCursors(time.now),
        ...{ keptReadings, remembering: settings, chainBlocks: simulatedEvents(world) },
      },
    )
    const { entries, nextCursor, asOf, isStale } = await Promise.race([answer, died])
    if (isStale) counts.stale += 1
    return { ...outcome, end: time.now(), asOf, isStale, entries, nextCursor }
  } catch (failure) {
    return { ...outcome, end: time.now(), asOf: start, isStale: false, entries: [], failure }
  }
}

/** The end of the process of a request. */
export class Killed extends Error {}

/** The turns of a request at its port calls, and the end of its process at the call of `killReaderAt`, if it comes so far. */
function mortal(world: World): { turn: Turn; died: Promise<never> } {
  const { time } = world
  const { promise: died, reject } = Promise.withResolvers<never>()
  // The process can end after its response.
  died.catch(() => undefined)
  let isDead = false
  return {
    died,
    async turn(call) {
      await time.sleep(time.isOneOf(30) ? time.between(500, 2_500) : time.between(1, 40))
      if (world.killReaderAt === call) {
        world.killReaderAt = undefined
        isDead = true
        reject(new Killed())
      }
      // Nothing that the process has begun goes on.
      if (isDead) await new Promise(() => undefined)
    },
  }
}

const expiringCursors = (now: () => number): Cursors => ({
  ...memoryCursors,
  open: async (cursor, context) => {
    if (JSON.parse(cursor).place.expiresAt < now()) throw new CursorExpired()
    return await memoryCursors.open(cursor, context)
  },
})

/** Reads all of a player's NFTs at once, and judges the response. */
export async function read(world: World, player: number, cacheControl: number): Promise<Outcome> {
  const { counts } = world
  const outcome = await request(world, { player, cacheControl })
  if (!outcome.failure) {
    expectHeld(world, outcome)
    expectFresh(world, outcome)
    const asked = new Set(outcome.calls.map(sliceOf))
    const slices = world.slicesOf(outcome)
    counts.reads += slices.length
    counts.remembered += slices.filter((slice) => !asked.has(sliceOf(slice))).length
    return outcome
  }
  expectUnavailable(world, outcome)
  return outcome
}

function expectUnavailable({ counts }: World, { failure, calls }: Outcome): void {
  expectThat(isOfIndexer(failure, calls), 'an answer fails only with the indexer', `${failure}`)
  counts.failed += 1
}

/** Whether a request has failed because a call of the indexer has failed, or was refused. */
export const isOfIndexer = (failure: unknown, calls: readonly AskedCall[]): boolean =>
  calls.some(
    ({ failed, refused }) =>
      (failed && failure instanceof IndexerUnavailable) ||
      (refused && failure instanceof RateLimited),
  )
