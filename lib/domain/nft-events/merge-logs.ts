import type { ContractWithRanges } from '../nft/nft.ts'
import type { PlacedEntry } from '../ports/nft-event-log.ts'
import { compareLogPlaces, type LogPlace, type NftEvent } from './nft-event.ts'

/** The most NFTs that one request looks up in the allowlist, and as how many a query of it counts. */
const maxLookups = 2_000
const queryLookups = 20

/** An event whose NFT the product may have allowlisted. */
export interface Candidate extends NftEvent {
  allowlist: ContractWithRanges
}

/** The events of several logs in the order of the chain, as far as all of them are read, and few enough to be looked up. */
export function merged(
  logs: readonly {
    contract: ContractWithRanges
    entries: readonly PlacedEntry[]
    hasMore: boolean
  }[],
): { candidates: Candidate[]; isWhole: boolean } {
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
