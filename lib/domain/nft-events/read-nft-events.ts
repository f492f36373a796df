import type { Chain } from '../nft/chain.ts'
import type { ContractWithRanges } from '../nft/nft.ts'
import type { AllowedTokenIds, Contracts } from '../ports/allowlist.ts'
import type { LoggedPart, NftEventLog } from '../ports/nft-event-log.ts'
import type { ProductId } from '../product/product.ts'
import type { ChainStart, EventStart } from './event-start.ts'
import { merged, placeAfter, placeOf } from './merge-logs.ts'
import {
  compareLogPlaces,
  type LogPlace,
  logRetentionMilliseconds,
  type NftEvent,
} from './nft-event.ts'
import { selected } from './select-events.ts'
import { watchContracts } from './watch-contracts.ts'

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
  await watchContracts(followed, { now, positions }, ports, settings)
  return { ...(await eventsOf(followed, positions, { start, limit, now }, ports)), notFollowed }
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

/** What is read of the events of contracts. */
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
            { from, position, earliest, limit: left, entries, askedAt: start.since },
            ports,
          )
        : { events: [], next: from, hasMore: position !== undefined }
    events.push(...read.events)
    next.set(chain, read.next)
    hasMore ||= read.hasMore
  }
  return { events, next: { chains: next, since: now }, hasMore }
}

interface ChainRead {
  from: ChainStart
  position: LoggedPart
  /** The time before which entries are not kept. */
  earliest: number
  /** When the reader has asked last. */
  askedAt: number
  limit: number
  entries: number
}

/** Reads the events of the contracts of a product on one chain. */
async function readChain(
  contracts: readonly ContractWithRanges[],
  read: ChainRead,
  { nftEventLog, allowedTokenIds }: Pick<NftEventPorts, 'allowedTokenIds' | 'nftEventLog'>,
): Promise<{ events: NftEvent[]; next: ChainStart; hasMore: boolean }> {
  const { from, earliest, limit, entries } = read
  const { loggedUpTo } = read.position
  const since = Math.max(earliest, 'since' in from ? from.since : 0)
  const { first, expired } = await firstOf(contracts, read, since, nftEventLog)
  const upTo = loggedUpTo.number
  if (first.block > upTo) return { events: [], next: from, hasMore: false }
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
