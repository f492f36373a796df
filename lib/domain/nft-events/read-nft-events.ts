import type { Chain } from '../nft/chain.ts'
import type { ContractKey, ContractWithRanges } from '../nft/nft.ts'
import type { AllowedTokenIds, Contracts } from '../ports/allowlist.ts'
import type { LoggedPart, NftEventLog, WatchLease } from '../ports/nft-event-log.ts'
import type { ProductId } from '../product/product.ts'
import { beginningOf, type ChainStart, type EventStart, type Reader } from './event-start.ts'
import { merged, placeAfter, placeOf, selected } from './merge-logs.ts'
import { compareLogPlaces, logRetentionMilliseconds, type NftEvent } from './nft-event.ts'
import { watchContracts } from './watch-contracts.ts'

interface NftEventPage {
  events: NftEvent[]
  next: EventStart
  hasMore: boolean
  /** The chains of contracts of the product that are not followed: by the deployment, or because the source refuses their events. */
  notFollowed: Chain[]
}

export interface NftEventPorts {
  contracts: Pick<Contracts, 'list'>
  allowedTokenIds: Pick<AllowedTokenIds, 'findAllowed' | 'list'>
  nftEventLog: NftEventLog
}

/** What a deployment sets for the events of products. */
export interface NftEventSettings {
  followedChains: readonly Chain[]
  /** The maximum for each product. */
  webhookContracts: number
}

/**
 * Reads up to `limit` events of the contracts of a product, of allowlisted NFTs only, in the order of each chain (D119). Has the events of
 * these contracts logged for a day from now. `now`: milliseconds since 1970. Throws TooManyWebhookContracts.
 */
export async function readNftEvents(
  productId: ProductId,
  { start, limit, now }: { start: EventStart; limit: number; now: number },
  ports: NftEventPorts,
  settings: NftEventSettings,
): Promise<NftEventPage> {
  const { followed, notFollowed } = await contractsWithEvents(productId, ports, settings)
  // Before the entries: those up to the positions are complete.
  const positions = await ports.nftEventLog.positions(settings.followedChains)
  const leases = await watchContracts(followed, { now, positions }, ports, settings)
  return {
    ...(await eventsOf(followed, positions, { start, limit, now }, ports)),
    notFollowed: [...notFollowed, ...chainsOfRefused(followed, leases, now)],
  }
}

/** The chains of those contracts whose events the source refuses now (D139). */
export const chainsOfRefused = (
  contracts: readonly ContractKey[],
  leases: readonly WatchLease[],
  now: number,
): Set<Chain> => {
  const refused = contracts.filter((_, index) => (leases[index]?.refusedUntil ?? 0) > now)
  return new Set(refused.map(({ chain }) => chain))
}

/** The connected contracts of a product on followed chains, and the other chains of its contracts. */
export async function contractsWithEvents(
  productId: ProductId,
  { contracts }: Pick<NftEventPorts, 'contracts'>,
  { followedChains }: Pick<NftEventSettings, 'followedChains'>,
): Promise<{ followed: ContractWithRanges[]; notFollowed: Chain[] }> {
  const connected = await contracts.list(productId)
  const isFollowed = ({ chain }: { chain: Chain }) => followedChains.includes(chain)
  const others = connected.filter((contract) => !isFollowed(contract))
  return {
    followed: connected.filter(isFollowed),
    notFollowed: [...new Set(others.map(({ chain }) => chain))],
  }
}

interface EventRead {
  start: EventStart
  limit: number
  now: number
  /** The most entries of the log of each contract; by default as many as events. */
  entries?: number
}

/** Reads up to `limit` events of contracts whose logs are complete up to these positions, in the order of each chain. */
export async function eventsOf(
  contracts: readonly ContractWithRanges[],
  positions: ReadonlyMap<Chain, LoggedPart>,
  { start, limit, now, entries = limit }: EventRead,
  ports: Pick<NftEventPorts, 'allowedTokenIds' | 'nftEventLog'>,
): Promise<Omit<NftEventPage, 'notFollowed'>> {
  const earliest = now - logRetentionMilliseconds
  const events: NftEvent[] = []
  const chains = new Map(start.chains)
  let hasMore = false
  let since = now
  for (const [chain, ofChain] of Map.groupBy(contracts, (contract) => contract.chain)) {
    const from = start.chains.get(chain) ?? { since: start.since }
    const { since: unseenSince = start.since } = from
    const position = positions.get(chain)
    // What begins to be logged later begins with what it does not know.
    if (!position) {
      chains.set(chain, from)
      continue
    }
    const left = limit - events.length
    const read =
      left > 0
        ? await readChain(
            ofChain,
            { from, position, earliest, unseenSince, limit: left, entries },
            ports,
          )
        : { events: [], next: from, unseenSince, hasMore: true }
    events.push(...read.events)
    chains.set(chain, read.next)
    since = Math.min(since, read.unseenSince)
    hasMore ||= read.hasMore
  }
  return { events, next: { chains, since }, hasMore }
}

async function readChain(
  contracts: readonly ContractWithRanges[],
  read: Reader & { limit: number; entries: number },
  { nftEventLog, allowedTokenIds }: Pick<NftEventPorts, 'allowedTokenIds' | 'nftEventLog'>,
): Promise<{ events: NftEvent[]; next: ChainStart; unseenSince: number; hasMore: boolean }> {
  const { from, earliest, limit, entries } = read
  const { loggedUpTo } = read.position
  const upTo = loggedUpTo.number
  const wantedSince = from.since ?? 0
  const caughtUp = { unseenSince: Math.max(loggedUpTo.at, wantedSince), hasMore: false }
  if ('block' in from && from.block > upTo) return { events: [], next: from, ...caughtUp }
  const { first, expired } = await beginningOf(contracts, read, nftEventLog)
  const logs = await Promise.all(
    contracts.map(async (contract) => ({
      contract,
      ...(await nftEventLog.entries(contract, {
        from: first,
        upTo,
        limit: Math.min(limit, entries),
      })),
    })),
  )
  const { candidates, isWhole } = merged(logs)
  const since = Math.max(earliest, wantedSince)
  const wanted = candidates.filter(
    (event) => event.block.at >= since && compareLogPlaces(placeOf(event), first) >= 0,
  )
  const found = await selected(wanted, allowedTokenIds)
  const end = endOf(found, limit)
  const events = [...expired, ...found.slice(0, end)]
  const last = end < found.length ? events.at(-1) : isWhole ? undefined : candidates.at(-1)
  if (last) {
    const { at } = last.block
    const next = { ...placeAfter(last), ...(at < wantedSince && { since: wantedSince }) }
    return { events, next, unseenSince: Math.max(at, wantedSince), hasMore: true }
  }
  // The blocks of before that time are not read again once the log has come so far.
  const next = loggedUpTo.at < wantedSince ? from : { block: upTo + 1 }
  return { events, next, ...caughtUp }
}

/** How many events are told: as many as wanted, and with them all that have the place of the last one, in other contracts. */
function endOf(events: readonly NftEvent[], limit: number): number {
  const last = events[limit - 1]
  if (!last) return events.length
  const isAfter = (event: NftEvent) => compareLogPlaces(placeOf(event), placeOf(last)) > 0
  const next = events.findIndex(isAfter)
  return next === -1 ? events.length : next
}
