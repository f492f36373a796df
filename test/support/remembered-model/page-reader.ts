import { CursorExpired } from '../../../lib/domain/failures.ts'
import type { OwnedNft } from '../../../lib/domain/nft/owned-nft.ts'
import { expectThat, isExplained, toleranceOf } from './oracle.ts'
import { isOfIndexer, Killed, request } from './readers.ts'
import { followedChain, nftAt, playerWallets, type World } from './world.ts'

/** The lifetime of a cursor, in milliseconds. */
const cursorMilliseconds = 9 * 60_000

/** Reads all of a player's NFTs in parts, with pauses, and judges all parts together. */
export async function readPages(
  world: World,
  options: { player: number; cacheControl: number; limit: number; pause: number },
): Promise<void> {
  const { time, counts } = world
  const { pause, ...first } = options
  const start = time.now()
  const tampered = world.tamperings
  const entries: OwnedNft[] = []
  /** The earliest moment from which an entry can be. */
  let from = Number.POSITIVE_INFINITY
  let cursor: string | undefined
  do {
    let part = await request(world, { ...first, cursor })
    // The client has no response, and asks again.
    if (part.failure instanceof Killed) part = await request(world, { ...first, cursor })
    if (isOfIndexer(part.failure, part.calls)) return
    const mayBeStale = cursor === undefined || goesOnStale(cursor)
    expectThat(!part.isStale || mayBeStale, 'a cursor makes nothing stale')
    if (part.failure instanceof CursorExpired) {
      counts.expired += 1
      const isAllowed =
        world.tamperings !== tampered ||
        noticesLoss(world) ||
        !world.allowlist.hasKeptConnections(start, time.now()) ||
        time.now() - start > cursorMilliseconds
      return expectThat(isAllowed, 'a cursor expires for a reason', time.now() - start)
    }
    if (part.failure) throw part.failure
    expectThat(part.entries.length <= options.limit, 'the limit is kept')
    const earliest = part.asOf - toleranceOf(world, part)
    for (const nft of part.entries) expectExplained(world, nft, earliest, part)
    entries.push(...part.entries)
    from = Math.min(from, earliest)
    cursor = part.nextCursor
    if (cursor) await time.sleep(time.between(0, pause))
  } while (cursor)
  expectNoneLost(world, options.player, entries, { from, start, end: time.now() })
}

/** Whether a list can be in a reading whose parts were lost before it began. Each such reading is noticed once. */
function noticesLoss(world: World): boolean {
  world.readingsLost -= 1
  return world.readingsLost >= 0
}

/** Whether a cursor goes on in a reading that was stale when its first page was read. */
const goesOnStale = (cursor: string): boolean => JSON.parse(cursor).place.reading?.isStale === true

function expectExplained(
  world: World,
  nft: OwnedNft,
  from: number,
  { start, end }: { start: number; end: number },
): void {
  const { chain, owner: wallet, tokenId } = nft
  const shown = new Map([[Number(tokenId), nft]])
  const states = world.chains.get(chain)?.statesIn(from, end) ?? []
  const slice = { chain, wallet, states, shown, start, end }
  expectThat(
    states.some((state) => isExplained(world, slice, Number(tokenId), state)),
    'an entry of a part was held at a moment since asOf less the settling time',
    { chain, wallet, tokenId, from: end - from },
  )
}

/** Expects each NFT that did not move to be in the parts once. */
function expectNoneLost(
  world: World,
  player: number,
  entries: readonly OwnedNft[],
  { from, start, end }: { from: number; start: number; end: number },
): void {
  for (const [chain, { statesIn, contractOf }] of world.chains) {
    const states = statesIn(from, end)
    for (const wallet of playerWallets[player] ?? []) {
      for (const token of contractOf.keys()) {
        const isStill = states.every(({ owners }) => owners[token] === wallet)
        const isAllowed = world.allowlist.alwaysAllowed(nftAt(chain, token), start, end)
        if (!isStill || !isAllowed) continue
        const found = entries.filter(
          (nft) => nft.chain === chain && nft.owner === wallet && Number(nft.tokenId) === token,
        )
        expectThat(found.length === 1, 'an NFT that did not move is in the parts once', {
          ...{ chain, wallet, token, isFollowed: chain === followedChain },
          count: found.length,
        })
      }
    }
  }
}
