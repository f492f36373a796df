import { IndexerUnavailable, RateLimited } from '../failures.ts'
import { contractKeyOf, type Nft } from '../nft/nft.ts'
import type { ShownMetadata } from '../nft/owned-nft.ts'
import { type Indexer, maxNftsPerCall } from '../ports/indexer.ts'
import type { KeptMetadata, KeptNft, TokenMetadata } from '../ports/token-metadata.ts'
import { batchesOf } from '../some-at-once.ts'
import type { Deadline } from '../time-budget.ts'
import { dueNoteOf } from './due-metadata.ts'

/** The number of calls of the indexer that one read has in progress. */
const callsAtOnce = 4

const unavailable: ShownMetadata = {
  metadataLink: '',
  metadata: { text: '{}', fault: 'indexer_unavailable' },
}

/** What a read knows of the NFTs whose metadata it shows. */
export interface ShowContext {
  maxBytes: number
  /** The age after which metadata is asked for again, beside the read, in seconds. */
  metadataSeconds: number
  deadline: Deadline
  /** The latest change of the metadata of an NFT (ERC-4906), in milliseconds since 1970; `undefined` if none is known. */
  changedAt(nft: Nft): number | undefined
  /** What was looked up before, of these NFTs and of others. */
  lookedUp?: LookedUp | undefined
}

/** What is kept of the metadata of NFTs, by their names; `undefined`: nothing. */
export type LookedUp = ReadonlyMap<string, KeptMetadata | undefined>

/** Looks up the metadata of NFTs that may be shown, as far as their texts have `maxBytes` together. Throws ServiceUnavailable. */
export async function lookUpMetadata(
  nfts: readonly Nft[],
  maxBytes: number,
  { get }: Pick<TokenMetadata, 'get'>,
): Promise<LookedUp> {
  const kept = await get(nfts, maxBytes)
  return new Map(kept.map((each, index) => [nameOf(nfts[index] as Nft), each]))
}

interface ShowPorts {
  tokenMetadata: Pick<TokenMetadata, 'get' | 'keep' | 'noteDue'>
  indexer: Pick<Indexer, 'metadata'>
  now(): number
}

/** The metadata that a read knows, by NFT, with the bytes of its text. */
type Known = Map<string, { kept: KeptMetadata; bytes: number }>

/**
 * The metadata of NFTs in their order, up to the one with which the texts have `maxBytes` together: of the first one at least. What is
 * kept is shown, however old it is, and noted if it is due. The indexer is asked for the rest, which is then kept; what it does not
 * give, because it is down or no call is left, has the fault `indexer_unavailable`. Throws ServiceUnavailable.
 */
export async function showMetadata(
  nfts: readonly Nft[],
  context: ShowContext,
  ports: ShowPorts,
): Promise<ShownMetadata[]> {
  const { tokenMetadata } = ports
  const kept = await keptOf(nfts, context, tokenMetadata)
  const read = nfts.slice(0, kept.length)
  const known: Known = new Map()
  for (const [index, nft] of read.entries()) add(known, nft, kept[index])
  const missing = read.filter((nft) => !known.has(nameOf(nft)))
  const isFull = () => upToBytes(read, known, context, { hasAll: false }).isFull
  const fetched = await askFor(missing, known, { isFull, context, ports })
  if (fetched.length > 0) tokenMetadata.keep(fetched)
  const { end } = upToBytes(read, known, context, { hasAll: true })
  const shown = read.slice(0, end)
  noteDue(shown, known, context, ports)
  return shown.map((nft) => known.get(nameOf(nft))?.kept ?? unavailable)
}

/** What is kept of NFTs, up to the one with which the texts reach the bytes. What was not looked up is read. */
async function keptOf(
  nfts: readonly Nft[],
  { maxBytes, lookedUp = new Map() }: Pick<ShowContext, 'maxBytes' | 'lookedUp'>,
  { get }: Pick<TokenMetadata, 'get'>,
): Promise<(KeptMetadata | undefined)[]> {
  const kept: (KeptMetadata | undefined)[] = []
  let bytes = 0
  for (const name of nfts.map(nameOf)) {
    if (!lookedUp.has(name)) break
    const each = lookedUp.get(name)
    kept.push(each)
    bytes += each ? Buffer.byteLength(each.metadata.text) : 0
  }
  const isEnough = kept.length > 0 && bytes >= maxBytes
  if (kept.length === nfts.length || isEnough) return kept
  return [...kept, ...(await get(nfts.slice(kept.length), maxBytes - bytes))]
}

const nameOf = ({ chain, address, tokenId }: Nft): string => `${chain} ${address} ${tokenId}`

function add(known: Known, nft: Nft, kept: KeptMetadata | undefined): void {
  if (kept) known.set(nameOf(nft), { kept, bytes: Buffer.byteLength(kept.metadata.text) })
}

/**
 * How many NFTs there are up to the one with which the texts reach the bytes. `hasAll`: unknown ones have no text; else
 * they end it.
 */
function upToBytes(
  nfts: readonly Nft[],
  known: Known,
  { maxBytes }: Pick<ShowContext, 'maxBytes'>,
  { hasAll }: { hasAll: boolean },
): { end: number; isFull: boolean } {
  let sum = 0
  for (const [index, nft] of nfts.entries()) {
    const bytes = known.get(nameOf(nft))?.bytes
    if (bytes === undefined && !hasAll) return { end: index, isFull: false }
    sum += bytes ?? 0
    if (sum >= maxBytes) return { end: index + 1, isFull: true }
  }
  return { end: nfts.length, isFull: false }
}

/**
 * Asks the indexer for NFTs, in batches of a contract, until it is down or the bytes are reached. Its answers are known
 * then.
 */
async function askFor(
  missing: readonly Nft[],
  known: Known,
  { isFull, context, ports }: { isFull(): boolean; context: ShowContext; ports: ShowPorts },
): Promise<KeptNft[]> {
  const fetched: KeptNft[] = []
  const batches = callsFor(missing).values()
  let isDown = false
  const askInTurn = async () => {
    for (const batch of batches) {
      if (isDown || isFull()) return
      const given = await askBatch(batch, context, ports).catch(unlessDown)
      if (!given) isDown = true
      for (const nft of given ?? []) add(known, nft, nft)
      fetched.push(...(given ?? []))
    }
  }
  await Promise.all(Array.from({ length: Math.min(callsAtOnce, missing.length) }, askInTurn))
  return fetched
}

/** Handles the failure of a call: `undefined` if the indexer is down, or no call is left. Throws any other. */
function unlessDown(failure: unknown): undefined {
  if (!(failure instanceof IndexerUnavailable || failure instanceof RateLimited)) throw failure
}

/** NFTs in batches of one contract each, each NFT once. */
function callsFor(nfts: readonly Nft[]): Nft[][] {
  const distinct = new Map(nfts.map((nft) => [nameOf(nft), nft]))
  const contracts = Map.groupBy(distinct.values(), ({ chain, address }) => `${chain} ${address}`)
  return [...contracts.values()].flatMap((its) => batchesOf(its, maxNftsPerCall))
}

async function askBatch(
  batch: readonly Nft[],
  { changedAt, deadline }: ShowContext,
  { indexer, now }: ShowPorts,
): Promise<KeptNft[]> {
  const [first] = batch
  if (!first) return []
  const tokenIds = batch.map(({ tokenId }) => tokenId)
  const readAt = now()
  const query = { contract: contractKeyOf(first), tokenIds, fromSource: false, deadline }
  const described = await indexer.metadata(query)
  return described.map((nft) => ({ ...nft, readAt, retries: 0, changedAt: changedAt(nft) }))
}

function noteDue(
  shown: readonly Nft[],
  known: Known,
  { metadataSeconds, changedAt }: ShowContext,
  { tokenMetadata, now }: ShowPorts,
): void {
  const age = { now: now(), metadataSeconds }
  const distinct = new Map(shown.map((nft) => [nameOf(nft), nft]))
  const notes = [...distinct].flatMap(([name, nft]) => {
    const kept = known.get(name)?.kept
    return (kept && dueNoteOf(nft, kept, changedAt(nft), age)) ?? []
  })
  if (notes.length > 0) tokenMetadata.noteDue(notes)
}
