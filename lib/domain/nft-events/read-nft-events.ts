import { tokenIdOf } from '../allowlist/token-id.ts'
import { rangeWith } from '../allowlist/token-ranges.ts'
import { TooManyWebhookContracts } from '../failures.ts'
import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { ContractWithRanges } from '../nft/nft.ts'
import type { AllowedTokenIds, Contracts } from '../ports/allowlist.ts'
import type { LogPosition } from '../ports/follow-notes.ts'
import type { NftEventLog, PlacedEntry } from '../ports/nft-event-log.ts'
import type { ProductId } from '../product/product.ts'
import {
  compareLogPlaces,
  type LogPlace,
  logRetentionMilliseconds,
  type MetadataChange,
  type Missed,
  type Transfer,
} from './nft-event.ts'

/** An event of a contract of a product (D119). */
export interface NftEvent {
  chain: Chain
  contract: Address
  block: PlacedEntry['block']
  logIndex?: number | undefined
  /** The place of the NFT in its transfer. */
  place: number
  transactionHash?: string | undefined
  content: NftTransfer | MetadataChange | Missed
}

/** One NFT that changed hands. */
export type NftTransfer = Omit<Transfer, 'tokens'> & Transfer['tokens'][number]

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

/** The most NFTs that one request looks up in the allowlist. */
const maxLookups = 2_000

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
  for (const [chain, ofChain] of Map.groupBy(contracts, (contract) => contract.chain)) {
    const from = start.chains.get(chain) ?? { since: start.since }
    const position = positions.get(chain)
    const left = limit - events.length
    const read =
      position && left > 0
        ? await readChain(ofChain, { from, position, earliest, limit: left }, ports)
        : { events: [], next: from }
    events.push(...read.events)
    next.set(chain, read.next)
  }
  const others = connected.filter((contract) => !isFollowed(contract))
  return {
    events,
    next: { chains: next, since: now },
    notFollowed: [...new Set(others.map(({ chain }) => chain))],
  }
}

/** Has the events of the contracts of a product logged for a day, with a write at most once an hour. */
async function watch(
  contracts: readonly ContractWithRanges[],
  { now, positions }: { now: number; positions: ReadonlyMap<Chain, LogPosition> },
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
  position: LogPosition
  /** The time before which entries are not kept. */
  earliest: number
  limit: number
}

/** Reads the events of the contracts of a product on one chain. */
async function readChain(
  contracts: readonly ContractWithRanges[],
  { from, position: { loggedUpTo }, earliest, limit }: ChainRead,
  { nftEventLog, allowedTokenIds }: NftEventPorts,
): Promise<{ events: NftEvent[]; next: ChainStart }> {
  const [{ chain } = { chain: undefined }] = contracts
  if (!chain) return { events: [], next: from }
  const since = Math.max(earliest, 'since' in from ? from.since : 0)
  const first: LogPlace =
    'since' in from ? { block: await nftEventLog.blockAt(chain, since) } : from
  const upTo = loggedUpTo.number
  if (first.block > upTo) return { events: [], next: from }
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
  const events = found.slice(0, limit).map(({ event }) => event)
  const last = found.length > limit ? events.at(-1) : isWhole ? undefined : candidates.at(-1)
  if (last) return { events, next: after(last) }
  // The blocks of before `since` are not read again once the log has come so far.
  const isBefore = 'since' in from && loggedUpTo.at < from.since
  return { events, next: isBefore ? from : { block: upTo + 1 } }
}

interface Candidate extends NftEvent {
  allowlist: ContractWithRanges
}

/** The events of several logs in the order of the chain, as far as all of them are read, and few enough to be looked up. */
function merged(
  logs: readonly {
    contract: ContractWithRanges
    entries: readonly PlacedEntry[]
    hasMore: boolean
  }[],
): { candidates: Candidate[]; isWhole: boolean } {
  const ends = logs.flatMap(({ entries, hasMore }) => (hasMore ? (entries.at(-1) ?? []) : []))
  const [horizon] = ends.map(placeOf).toSorted(compareLogPlaces)
  const entries = logs
    .flatMap(({ contract, entries: ofContract }) =>
      ofContract.map((entry) => ({ contract, entry })),
    )
    .filter(({ entry }) => !horizon || compareLogPlaces(placeOf(entry), horizon) <= 0)
    .toSorted((a, b) => compareLogPlaces(placeOf(a.entry), placeOf(b.entry)))
  const candidates: Candidate[] = []
  for (const { contract, entry } of entries) {
    if (candidates.length > 0 && candidates.length + sizeOf(entry) > maxLookups) {
      return { candidates, isWhole: false }
    }
    candidates.push(...eventsIn(entry, contract))
  }
  return { candidates, isWhole: horizon === undefined }
}

const sizeOf = ({ content }: PlacedEntry): number =>
  content.kind === 'transfer' ? content.tokens.length : 1

/** The events of an entry: one for each NFT of a transfer. */
function eventsIn(
  { content, place, ...entry }: PlacedEntry,
  allowlist: ContractWithRanges,
): Candidate[] {
  const { chain, address: contract } = allowlist
  const event = { ...entry, chain, contract, allowlist }
  if (content.kind !== 'transfer') return [{ ...event, place, content }]
  const { tokens, ...transfer } = content
  return tokens.map((token, index) => ({
    ...event,
    place: place + index,
    content: { ...transfer, ...token },
  }))
}

const placeOf = ({
  block: { number: block },
  logIndex,
  place,
}: Pick<PlacedEntry, 'block' | 'logIndex' | 'place'>): LogPlace => ({ block, logIndex, place })

/** The place after an event. */
function after(event: NftEvent): LogPlace {
  const { block, logIndex, place = 0 } = placeOf(event)
  return logIndex === undefined ? { block, logIndex: 0 } : { block, logIndex, place: place + 1 }
}

/** The events of allowlisted NFTs, and those that tell of missed ones, in their order. */
async function selected(
  candidates: readonly Candidate[],
  allowedTokenIds: NftEventPorts['allowedTokenIds'],
): Promise<{ event: NftEvent }[]> {
  const unknown: {
    event: Candidate
    bindingId: ContractWithRanges['bindingId']
    tokenId: NftTransfer['tokenId']
  }[] = []
  const allowed = new Set<Candidate>()
  for (const event of candidates) {
    const { content, allowlist } = event
    if (content.kind === 'missed') allowed.add(event)
    else if (content.kind === 'metadata') {
      if (await isAnyAllowed(content, allowlist, allowedTokenIds)) allowed.add(event)
    } else if (rangeWith(allowlist.ranges, BigInt(content.tokenId))) allowed.add(event)
    else unknown.push({ event, bindingId: allowlist.bindingId, tokenId: content.tokenId })
  }
  const found = unknown.length === 0 ? [] : await allowedTokenIds.findAllowed(unknown)
  for (const { event } of found) allowed.add(event)
  return candidates.flatMap((candidate) => {
    const { allowlist: _, ...event } = candidate
    return allowed.has(candidate) ? [{ event }] : []
  })
}

/** Whether one of the NFTs whose metadata may be new is allowlisted. */
async function isAnyAllowed(
  { fromTokenId, toTokenId }: MetadataChange,
  { bindingId, ranges }: ContractWithRanges,
  { list }: NftEventPorts['allowedTokenIds'],
): Promise<boolean> {
  const [first, last] = [BigInt(fromTokenId), BigInt(toTokenId)]
  if (ranges.some((range) => range.first <= last && range.last >= first)) return true
  const [tokenId] = await list(bindingId, {
    ...(first > 0n && { after: tokenIdOf(first - 1n) }),
    limit: 1,
  })
  return tokenId !== undefined && BigInt(tokenId) <= last
}
