import { TooManyWebhookContracts } from '../failures.ts'
import type { Chain } from '../nft/chain.ts'
import type { ContractWithRanges } from '../nft/nft.ts'
import type { AllowedTokenIds, Contracts } from '../ports/allowlist.ts'
import type { LoggedPart, NftEventLog } from '../ports/nft-event-log.ts'
import type { ProductId } from '../product/product.ts'
import { merged, placeAfter, placeOf } from './merge-logs.ts'
import {
  compareLogPlaces,
  type LogPlace,
  logRetentionMilliseconds,
  type NftEvent,
} from './nft-event.ts'
import { selected } from './select-events.ts'

/** Where a reader goes on in the events of a chain: at a place, or with what happens from a time on, in milliseconds since 1970. */
export type ChainStart = LogPlace | { since: number }

/** Where a reader goes on: in each of some chains, and from a time on in the others. */
export interface EventStart {
  chains: ReadonlyMap<Chain, ChainStart>
  since: number
}

/** Events of a product. */
export interface NftEventPage {
  events: NftEvent[]
  next: EventStart
  /** Whether there is more to read at once. */
  hasMore: boolean
  /** The chains of contracts of the product that the deployment does not follow. */
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
  /** The most contracts of a product whose events are logged. */
  webhookContracts: number
}

/** The most contracts of a deployment whose events are logged. */
const maxWatchedContracts = 1_000

/** How long a contract is watched after a read, and how much of that is left when a read renews it, in milliseconds. */
const watchMilliseconds = 24 * 3_600_000
const renewalMilliseconds = 23 * 3_600_000

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
  const connected = await ports.contracts.list(productId)
  const isFollowed = ({ chain }: { chain: Chain }) => settings.followedChains.includes(chain)
  const contracts = connected.filter(isFollowed)
  // Before the entries: those up to the positions are complete.
  const positions = await ports.nftEventLog.positions(settings.followedChains)
  await watch(contracts, { now, positions }, ports.nftEventLog, settings)
  const earliest = now - logRetentionMilliseconds
  const events: NftEvent[] = []
  const next = new Map(start.chains)
  let hasMore = false
  for (const [chain, ofChain] of Map.groupBy(contracts, (contract) => contract.chain)) {
    const from = start.chains.get(chain) ?? { since: start.since }
    const position = positions.get(chain)
    const left = limit - events.length
    const read =
      position && left > 0
        ? await readChain(
            ofChain,
            { from, position, earliest, limit: left, askedAt: start.since },
            ports,
          )
        : { events: [], next: from, hasMore: position !== undefined }
    events.push(...read.events)
    next.set(chain, read.next)
    hasMore ||= read.hasMore
  }
  const others = connected.filter((contract) => !isFollowed(contract))
  return {
    events,
    next: { chains: next, since: now },
    hasMore,
    notFollowed: [...new Set(others.map(({ chain }) => chain))],
  }
}

/** Has the events of the contracts of a product logged for a day, with a write at most once an hour. */
async function watch(
  contracts: readonly ContractWithRanges[],
  { now, positions }: { now: number; positions: ReadonlyMap<Chain, LoggedPart> },
  nftEventLog: NftEventLog,
  { webhookContracts }: NftEventSettings,
): Promise<void> {
  if (contracts.length > webhookContracts) {
    throw new TooManyWebhookContracts(
      `Events are for ${webhookContracts} contracts; this product has ${contracts.length}.`,
    )
  }
  const until = await nftEventLog.watchedUntil(contracts)
  const added = until.filter((watchedUntil) => watchedUntil <= now)
  const all = [...positions.values()].reduce((sum, position) => sum + position.contracts, 0)
  if (added.length > 0 && all + added.length > maxWatchedContracts) {
    throw new TooManyWebhookContracts(
      `The events of ${maxWatchedContracts} contracts are logged in this service, and there is no room for ${added.length} more.`,
    )
  }
  const due = contracts.filter((_, index) => (until[index] ?? 0) - now < renewalMilliseconds)
  await nftEventLog.watch(due, now + watchMilliseconds)
}

interface ChainRead {
  from: ChainStart
  position: LoggedPart
  /** The time before which entries are not kept. */
  earliest: number
  /** When the reader has asked last. */
  askedAt: number
  limit: number
}

/** Reads the events of the contracts of a product on one chain. */
async function readChain(
  contracts: readonly ContractWithRanges[],
  read: ChainRead,
  { nftEventLog, allowedTokenIds }: NftEventPorts,
): Promise<{ events: NftEvent[]; next: ChainStart; hasMore: boolean }> {
  const { from, earliest, limit } = read
  const { loggedUpTo } = read.position
  const since = Math.max(earliest, 'since' in from ? from.since : 0)
  const { first, expired } = await firstOf(contracts, read, since, nftEventLog)
  const upTo = loggedUpTo.number
  if (first.block > upTo) return { events: [], next: from, hasMore: false }
  const logs = await Promise.all(
    contracts.map(async (contract) => ({
      contract,
      ...(await nftEventLog.entries(contract, { from: first, upTo, limit })),
    })),
  )
  const { candidates, isWhole } = merged(logs)
  const wanted = candidates.filter(
    (event) => event.block.at >= since && compareLogPlaces(placeOf(event), first) >= 0,
  )
  const found = await selected(wanted, allowedTokenIds)
  const end = endOf(found, limit)
  const events = [...expired, ...found.slice(0, end)]
  const last = end < found.length ? events.at(-1) : isWhole ? undefined : candidates.at(-1)
  if (last) return { events, next: placeAfter(last), hasMore: true }
  // The blocks of before `since` are not read again once the log has come so far.
  const isBefore = 'since' in from && loggedUpTo.at < from.since
  return { events, next: isBefore ? from : { block: upTo + 1 }, hasMore: false }
}

/** Where a read of a chain begins. `expired`: what tells a reader of events that are not kept any more. */
async function firstOf(
  contracts: readonly ContractWithRanges[],
  { from, earliest, askedAt }: ChainRead,
  since: number,
  nftEventLog: NftEventLog,
): Promise<{ first: LogPlace; expired: NftEvent[] }> {
  const [{ chain } = { chain: undefined }] = contracts
  if (!chain) return { first: { block: 0 }, expired: [] }
  const isPlace = !('since' in from)
  if (isPlace && askedAt >= earliest) return { first: from, expired: [] }
  const block = await nftEventLog.blockAt(chain, since)
  if (!isPlace || from.block >= block) return { first: isPlace ? from : { block }, expired: [] }
  const content = {
    kind: 'missed',
    reason: 'expired',
    fromBlock: from.block,
    toBlock: block - 1,
  } as const
  const expired = contracts.map(({ address: contract }) => ({
    ...{ chain, contract, place: 0, content },
    block: { number: block, hash: '', at: earliest },
  }))
  return { first: { block }, expired }
}

/** How many events are told: as many as wanted, and with them all that have the place of the last one, in other contracts. */
function endOf(events: readonly NftEvent[], limit: number): number {
  const last = events[limit - 1]
  if (!last) return events.length
  const isAfter = (event: NftEvent) => compareLogPlaces(placeOf(event), placeOf(last)) > 0
  const next = events.findIndex(isAfter)
  return next === -1 ? events.length : next
}
