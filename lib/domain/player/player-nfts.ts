import { selection } from '../allowlist/allowlist-selection.ts'
import { IndexerUnavailable, InvalidInput } from '../failures.ts'
import { comparePlaces, placeOf } from '../holdings/held-nfts.ts'
import type { KeptFinding, KeptPart } from '../holdings/kept-part.ts'
import { fetchedMetadata, type KeepFetchedMetadata } from '../holdings/known-contracts.ts'
import { type Chain, chains as chainTable } from '../nft/chain.ts'
import type { ContractWithRanges } from '../nft/nft.ts'
import type { ShownNft } from '../nft/owned-nft.ts'
import type { AllowedTokenIds, Contracts } from '../ports/allowlist.ts'
import type { CursorContext, Cursors } from '../ports/cursors.ts'
import type { Indexer } from '../ports/indexer.ts'
import type { ProductId } from '../product/product.ts'
import type { AcceptedAge } from '../reading/freshness.ts'
import { readPages } from '../reading/ordered-pages.ts'
import {
  pageLifetimeMilliseconds,
  pageMark,
  type ReadingPosition,
} from '../reading/reading-position.ts'
import {
  readableContracts,
  type Slice,
  slicesOf,
  type WalletPage,
  walletReading,
} from '../reading/wallet-reading.ts'
import { type Deadline, lastStartMilliseconds } from '../time-budget.ts'
import { type FindPorts, findKept, findStale, type KeptRequest } from './find-kept.ts'
import type { Player } from './player.ts'
import type { PlayerNftsBeginning } from './player-nfts-beginning.ts'

/** The maximum number of entries in one response (D25). */
export const maxPlayerNftsPerPage = 1_000

/** The maximum number of indexer pages for one response (D25). */
const maxIndexerPages = 64

/** A request for a player's NFTs: of one product, on all or some chains, up to `limit` entries. */
export interface PlayerNftsQuery {
  /** The operation: a cursor works for the same operation only. */
  operation: string
  productId: ProductId
  player: Player
  chains?: readonly Chain[] | undefined
  limit?: number | undefined
  cursor?: string | undefined
  /** The age that the caller accepts. It has no effect with a cursor (D156). */
  acceptedAge?: AcceptedAge | undefined
  /** Reads that have begun before, if any have. */
  begun?: PlayerNftsBeginning | undefined
  deadline: Deadline
}

/** An NFT as an entry of the response, with the size of the entry. */
export interface Rendering<Entry> {
  entry: Entry
  size: number
}

/** The form of the response: its entries, and their maximum size in total, in the unit of the entries. */
export interface ResponseForm<Entry> {
  render(nft: ShownNft): Rendering<Entry>
  maxSize: number
}

export interface PlayerNftsPorts extends FindPorts {
  contracts: Contracts
  allowedTokenIds: AllowedTokenIds
  indexer: Pick<Indexer, 'ownedNfts'>
  cursors: Cursors
}

interface PlayerNfts<Entry> {
  entries: Entry[]
  nextCursor?: string
  /** The moment of which the oldest part speaks, in milliseconds since 1970 (D156). */
  asOf: number
  /** The same of the parts on main networks; absent if there are none (D145). */
  mainAsOf?: number
  /** Whether a part is older than the rules allow, because the indexer is down. */
  isStale: boolean
  contracts: { kept: number; queried: number }
}

/**
 * Returns the NFTs that are in the player's wallets and on the product's allowlist (4.8, 4.9, D24): all
 * NFTs in the order of D18 and then owner, or a part with the cursor for the next part (D25): those of kept contracts
 * in that order, and then those that the indexer lists, in its order. The cost grows with the number of NFTs that the
 * player owns, never with the allowlist.
 */
export async function readPlayerNfts<Entry>(
  query: PlayerNftsQuery,
  form: ResponseForm<Entry>,
  ports: PlayerNftsPorts,
): Promise<PlayerNfts<Entry>> {
  const request = await requestOf(query, form, ports)
  const finding = await findKept(request, ports)
  try {
    return await readSources(request, finding, form, ports)
  } catch (error) {
    if (!(error instanceof IndexerUnavailable)) throw error
    const older = await findStale(request, finding, ports)
    if (!older) throw error
    return await readSources(request, older, form, ports)
  }
}

interface OpenRequest extends KeptRequest {
  context: CursorContext
}

async function requestOf<Entry>(
  query: PlayerNftsQuery,
  { maxSize: maxBytes }: ResponseForm<Entry>,
  ports: PlayerNftsPorts,
): Promise<OpenRequest> {
  const { productId, player, chains, cursor, begun, deadline } = query
  const listed = await (begun?.contracts ?? ports.contracts.list(productId))
  const contracts = readableContracts(listed, chains)
  const context: CursorContext = {
    scope: [query.operation, productId, `${player.userId}`, ...(chains ?? [])],
    basis: [...player.wallets, ...contracts.map(({ bindingId }) => bindingId)],
  }
  return {
    ...{ productId, player, listed, contracts, context },
    ...{ positions: begun?.positions, findAllowed: begun?.findAllowed },
    accepted: cursor === undefined ? (query.acceptedAge ?? {}) : {},
    start: cursor === undefined ? undefined : await open(cursor, context, ports.cursors),
    limits: { maxEntries: query.limit ?? maxPlayerNftsPerPage, maxBytes, deadline },
  }
}

async function readSources<Entry>(
  request: OpenRequest,
  { part, known }: KeptFinding,
  { render, maxSize }: ResponseForm<Entry>,
  ports: PlayerNftsPorts,
): Promise<PlayerNfts<Entry>> {
  const { contracts, player, start, context, limits } = request
  const { maxEntries: limit, deadline } = limits
  const slices = slicesOf(part?.fromIndexer ?? contracts, player.wallets)
  const keep = ports.keeping ? fetchedMetadata(known, ports.keeping) : keepNothing
  const indexerSources = slices.map((slice) => indexerSource(slice, deadline, keep, ports))
  const sources = part ? [keptSource(part), ...indexerSources] : indexerSources
  if (start && start.source >= sources.length) throw notGivenOut()
  const until = deadline - lastStartMilliseconds
  // What the indexer says beside what is kept would be lost, and is counted.
  const isFirstAlone = part !== undefined && !start?.source && part.count > limit
  const budget = { limit, maxSize, maxPages: maxIndexerPages, until, isFirstAlone }
  const { items, next, used } = await readPages(
    sources,
    start,
    budget,
    async (source, position) => {
      const { nfts, ...page } = await source.read(position)
      const rendered = nfts.map((nft) => {
        const { chain, address, tokenId, owner } = nft
        return {
          // Without its metadata, of which an entry can have little.
          nft: { chain, address, tokenId, owner },
          mark: () => pageMark(`${address}/${tokenId}`),
          ...(source.isKept && { place: placeOf(nft) }),
          ...render(nft),
        }
      })
      return { ...page, items: rendered }
    },
  )
  // Only a complete response can be sorted.
  if (!start && !next) items.sort((a, b) => comparePlaces(a.nft, b.nft))
  const onMain = used.filter(({ source }) => sources[source]?.isOnMain)
  const { flags: kept, isStale } = part ?? {}
  return {
    entries: items.map(({ entry }) => entry),
    ...(next && { nextCursor: await seal({ ...next, kept, isStale }, context, ports.cursors) }),
    asOf: oldest(used),
    ...(onMain.length > 0 && { mainAsOf: oldest(onMain) }),
    isStale: used.some(({ source }) => isStale && sources[source]?.isKept),
    contracts: {
      kept: contracts.length - (part?.fromIndexer ?? contracts).length,
      queried: (part?.fromIndexer ?? contracts).length,
    },
  }
}

const keepNothing: KeepFetchedMetadata = async () => undefined

interface Source {
  isKept: boolean
  isOnMain: boolean
  read(position: ReadingPosition): Promise<Omit<WalletPage, 'nfts'> & { nfts: ShownNft[] }>
}

/** A wallet that the indexer is asked about. `keep`: keeps the metadata of what it shows. */
function indexerSource(
  slice: Slice<ContractWithRanges>,
  deadline: Deadline,
  keep: KeepFetchedMetadata,
  { indexer, allowedTokenIds }: PlayerNftsPorts,
): Source {
  const byAddress = new Map(slice.contracts.map((contract) => [contract.address, contract]))
  const read = walletReading(slice, deadline, indexer)
  return {
    isKept: false,
    isOnMain: chainTable[slice.chain].kind === 'main',
    async read(position) {
      const { askedAt, ...page } = await read(position)
      const selected = selection(page.nfts, ({ address }) => byAddress.get(address))
      const nfts = await selected.allowed(allowedTokenIds)
      await keep(nfts, askedAt)
      return { ...page, nfts }
    },
  }
}

/** What is kept, as the first source of a response: its page keys are places in the order of D24. */
const keptSource = (part: KeptPart): Source => ({
  isKept: true,
  isOnMain: part.isOnMain,
  read: async ({ pageKey }) => ({ ...(await part.page(pageKey)), moment: part.moment }),
})

/** The moment of which the oldest of these parts speaks; now if there are none. */
const oldest = (parts: readonly { moment: number | undefined }[]): number =>
  Math.min(Date.now(), ...parts.map(({ moment = Number.POSITIVE_INFINITY }) => moment))

async function open(
  cursor: string,
  context: CursorContext,
  cursors: Cursors,
): Promise<ReadingPosition> {
  const position = await cursors.open(cursor, context)
  if (position) return position
  throw notGivenOut()
}

/** The failure of a cursor of another request; or of another release, which can divide the same contracts into other sources. */
const notGivenOut = (): InvalidInput =>
  new InvalidInput({ in: 'query', path: 'cursor' }, 'was not given out for this request')

const seal = (
  position: ReadingPosition,
  context: CursorContext,
  cursors: Cursors,
): Promise<string> =>
  cursors.seal(
    { ...position, expiresAt: position.expiresAt ?? Date.now() + pageLifetimeMilliseconds },
    context,
  )
