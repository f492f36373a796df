import { type TokenId, tokenIdOf } from '../allowlist/token-id.ts'
import { rangeWith } from '../allowlist/token-ranges.ts'
import type { ContractWithRanges } from '../nft/nft.ts'
import type { AllowedEntry, AllowedTokenIds } from '../ports/allowlist.ts'
import type { LogPage, PlacedEntry } from '../ports/nft-event-log.ts'
import { compareLogPlaces, type LogPlace, type MetadataChange, type NftEvent } from './nft-event.ts'

/** The most NFTs that one request looks up in the allowlist, and as how many a query of it counts. */
const maxLookups = 2_000
const queryLookups = 20

/** An event whose NFT the product may have allowlisted. */
interface Candidate extends NftEvent {
  allowlist: ContractWithRanges
}

/** The events of several logs in the order of the chain, as far as all of them are read, and few enough to be looked up. */
export function merged(logs: readonly (LogPage & { contract: ContractWithRanges })[]): {
  candidates: Candidate[]
  isWhole: boolean
} {
  const ends = logs.flatMap(({ entries, hasMore }) => (hasMore ? (entries.at(-1) ?? []) : []))
  const [horizon] = ends.map(placeOf).toSorted(compareLogPlaces)
  const known = logs
    .flatMap(({ contract, entries: ofContract }) =>
      ofContract.map((entry) => ({ contract, entry })),
    )
    .filter(({ entry }) => !horizon || compareLogPlaces(placeOf(entry), horizon) <= 0)
    .toSorted((a, b) => compareLogPlaces(placeOf(a.entry), placeOf(b.entry)))
  const isBefore = ({ entry }: { entry: PlacedEntry }) =>
    horizon !== undefined && compareLogPlaces(placeOf(entry), horizon) < 0
  // A log can have further missed events before the block with which its page ends.
  const isOpen = horizon !== undefined && horizon.logIndex === undefined && known.some(isBefore)
  const entries = isOpen ? known.filter(isBefore) : known
  const candidates: Candidate[] = []
  let lookups = 0
  for (const { contract, entry } of entries) {
    const size = sizeOf(entry)
    // Those of missed events can have one place, and stay together.
    if (size > 0 && lookups > 0 && lookups + size > maxLookups) {
      return { candidates, isWhole: false }
    }
    lookups += size
    candidates.push(...eventsIn(entry, contract))
  }
  return { candidates, isWhole: horizon === undefined }
}

/** How many lookups an entry costs: new metadata of many NFTs is a query of its own. */
function sizeOf({ content }: PlacedEntry): number {
  if (content.kind === 'transfer') return content.tokens.length
  if (content.kind === 'missed') return 0
  return content.fromTokenId === content.toTokenId ? 1 : queryLookups
}

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

/** The place of an entry, or of an event in it. */
export const placeOf = ({
  block: { number: block },
  logIndex,
  place,
}: Pick<PlacedEntry, 'block' | 'logIndex' | 'place'>): LogPlace => ({ block, logIndex, place })

/** The place after an event. */
export function placeAfter(event: NftEvent): LogPlace {
  const { block, logIndex, place = 0 } = placeOf(event)
  return logIndex === undefined ? { block, logIndex: 0 } : { block, logIndex, place: place + 1 }
}

type Allowlists = Pick<AllowedTokenIds, 'findAllowed' | 'list'>

/** The events of allowlisted NFTs, and those that tell of missed ones, in their order. */
export async function selected(
  candidates: readonly Candidate[],
  allowedTokenIds: Allowlists,
): Promise<NftEvent[]> {
  const unknown: (AllowedEntry & { event: Candidate })[] = []
  const allowed = new Set<Candidate>()
  const queries: Promise<void>[] = []
  for (const event of candidates) {
    const { content, allowlist } = event
    const tokenId = tokenIdIn(content)
    if (content.kind === 'missed') allowed.add(event)
    else if (tokenId === undefined) {
      const query = isAnyAllowed(content as MetadataChange, allowlist, allowedTokenIds)
      queries.push(query.then((isAllowed) => void (isAllowed && allowed.add(event))))
    } else if (rangeWith(allowlist.ranges, BigInt(tokenId))) allowed.add(event)
    else unknown.push({ event, bindingId: allowlist.bindingId, tokenId })
  }
  const [found] = await Promise.all([
    unknown.length === 0 ? [] : allowedTokenIds.findAllowed(unknown),
    ...queries,
  ])
  for (const { event } of found) allowed.add(event)
  return candidates
    .filter((candidate) => allowed.has(candidate))
    .map(({ allowlist: _, ...event }) => event)
}

function tokenIdIn(content: Candidate['content']): TokenId | undefined {
  if (content.kind === 'transfer') return content.tokenId
  if (content.kind === 'missed') return undefined
  return content.fromTokenId === content.toTokenId ? content.fromTokenId : undefined
}

/** Whether one of the NFTs whose metadata may be new is allowlisted. */
async function isAnyAllowed(
  { fromTokenId, toTokenId }: MetadataChange,
  { bindingId, ranges }: ContractWithRanges,
  { list }: Allowlists,
): Promise<boolean> {
  const [first, last] = [BigInt(fromTokenId), BigInt(toTokenId)]
  if (ranges.some((range) => range.first <= last && range.last >= first)) return true
  const [tokenId] = await list(bindingId, {
    ...(first > 0n && { after: tokenIdOf(first - 1n) }),
    limit: 1,
  })
  return tokenId !== undefined && BigInt(tokenId) <= last
}
