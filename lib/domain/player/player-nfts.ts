import { selection } from '../allowlist/allowlist-selection.ts'
import { CursorExpired, InvalidInput } from '../failures.ts'
import {
  type KeepingPorts,
  type KeptPart,
  partBehind,
  placeOf,
  readKeptPart,
} from '../holdings/kept-part.ts'
import { type Chain, chains as chainTable } from '../nft/chain.ts'
import { type ContractWithRanges, compareNfts } from '../nft/nft.ts'
import type { OwnedNft } from '../nft/owned-nft.ts'
import type { AllowedTokenIds, Contracts } from '../ports/allowlist.ts'
import type { CursorContext, Cursors } from '../ports/cursors.ts'
import type { ChainPositions, KeptReadings } from '../ports/kept-readings.ts'
import type { ProductId } from '../product/product.ts'
import { type AcceptedAge, acceptsKept } from '../reading/freshness.ts'
import { readPages } from '../reading/ordered-pages.ts'
import {
  pageLifetimeMilliseconds,
  pageMark,
  type ReadingPosition,
} from '../reading/reading-position.ts'
import { readableContracts, scopeOf, slicesOf } from '../reading/reading-slices.ts'
import {
  type WalletPage,
  type WalletReadingPorts,
  walletReading,
} from '../reading/wallet-reading.ts'
import { compareTexts } from '../text.ts'
import { type Deadline, lastStartMilliseconds } from '../time-budget.ts'
import type { Player } from './player.ts'
import { neededLater, type PlayerNftsBeginning } from './player-nfts-beginning.ts'

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
  /** The age that the caller accepts. It has no effect with a cursor (D67). */
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
  render(nft: OwnedNft): Rendering<Entry>
  maxSize: number
}

export interface PlayerNftsPorts extends WalletReadingPorts {
  contracts: Contracts
  allowedTokenIds: AllowedTokenIds
  cursors: Cursors
  /** Absent in a deployment that keeps no holdings. */
  keeping?: KeepingPorts | undefined
}

/** The entries of a response, and how fresh they are. */
export interface PlayerNfts<Entry> {
  entries: Entry[]
  nextCursor?: string
  /** The moment of which the oldest part speaks, in milliseconds since 1970 (D67). */
  asOf: number
  /** The same of the parts on main networks; absent if there are none (D145). */
  mainAsOf?: number
  /** Whether a part is older than the rules allow, because the indexer is down. */
  isStale: boolean
}

/**
 * Returns the NFTs that are in the player's wallets and on the product's allowlist (4.8, 4.9, D24): all
 * NFTs in the order of D18 and then owner, or a part in the indexer's order with the cursor for the next
 * part (D25). The cost grows with the number of NFTs that the player owns, never with the allowlist.
 */
export async function readPlayerNfts<Entry>(
  query: PlayerNftsQuery,
  { render, maxSize }: ResponseForm<Entry>,
  ports: PlayerNftsPorts,
): Promise<PlayerNfts<Entry>> {
  const { productId, player, chains, limit = maxPlayerNftsPerPage, cursor, begun, deadline } = query
  const accepted = cursor === undefined ? (query.acceptedAge ?? {}) : {}
  const listed = await (begun?.contracts ?? ports.contracts.list(productId))
  const contracts = readableContracts(listed, chains)
  const context: CursorContext = {
    scope: [query.operation, productId, `${player.userId}`, ...(chains ?? [])],
    basis: [...player.wallets, ...contracts.map(({ bindingId }) => bindingId)],
  }
  const start = cursor === undefined ? undefined : await open(cursor, context, ports.cursors)
  const kept = await keptPartOf({ ...query, accepted, limit, start, maxSize, contracts }, ports)
  const positions = positionsFor(accepted, begun, ports.keptReadings)
  const slices = slicesOf(kept?.asked ?? contracts, player.wallets)
  const asked = slices.map((slice) => {
    const { begin: beside, select } = selection(slice, ports.allowedTokenIds)
    const request = { accepted, positions, beside, limit, deadline }
    const reading = walletReading(scopeOf(productId, slice), request, ports)
    return { ...reading, select, isOnMain: chainTable[slice.chain].kind === 'main' }
  })
  const sources = kept ? [keptSource(kept), ...asked] : asked
  if (start && start.source >= sources.length) throw notGivenOut()
  const until = deadline - lastStartMilliseconds
  const budget = { limit, maxSize, maxPages: maxIndexerPages, until }
  const { items, next, used } = await readPages(
    sources,
    start,
    budget,
    async (source, position) => {
      const page = await source.read(position)
      const allowed = await source.select(page, Number(position.pageKey ?? 0))
      const rendered = allowed.map((nft) => ({
        nft,
        mark: () => pageMark(`${nft.address}/${nft.tokenId}`),
        ...(kept && source === sources[0] && { place: placeOf(nft) }),
        ...render(nft),
      }))
      return { ...page, items: rendered }
    },
  )
  // Only a complete response can be sorted.
  if (!start && !next) items.sort((a, b) => compareOwned(a.nft, b.nft))
  const onMain = used.filter(({ source }) => sources[source]?.isOnMain)
  const left = next && (await sources[next.source]?.leaveAt(next))
  return {
    entries: items.map(({ entry }) => entry),
    ...(left && {
      nextCursor: await seal({ ...left, kept: kept?.flags }, context, ports.cursors),
    }),
    asOf: oldest(used),
    ...(onMain.length > 0 && { mainAsOf: oldest(onMain) }),
    isStale: used.some(({ isStale }) => isStale),
  }
}

/** What is kept of the contracts of a request; for a cursor, of those that were kept when it was given out. */
async function keptPartOf(
  request: Pick<PlayerNftsQuery, 'player' | 'deadline'> & {
    accepted: AcceptedAge
    contracts: readonly ContractWithRanges[]
    start: ReadingPosition | undefined
    limit: number
    maxSize: number
  },
  { keeping, allowedTokenIds }: PlayerNftsPorts,
): Promise<KeptPart | undefined> {
  const { player, accepted, contracts, start, limit, maxSize, deadline } = request
  if (start && start.kept === undefined) return undefined
  if (!keeping) {
    if (start) throw new CursorExpired()
    return undefined
  }
  if (start?.kept !== undefined && start.source > 0) return partBehind(start.kept, contracts)
  const limits = { maxEntries: limit, maxBytes: maxSize, deadline }
  return await readKeptPart(
    { wallets: player.wallets, contracts, accepted, flags: start?.kept, limits },
    { ...keeping, allowedTokenIds },
  )
}

/** What is kept, as the first source of a response: its page keys are places in the order of D24. */
const keptSource = (kept: KeptPart) => ({
  isOnMain: kept.isOnMain,
  async read({ pageKey }: ReadingPosition): Promise<WalletPage> {
    const { nfts, next } = await kept.page(pageKey)
    return { nfts, next, moment: kept.moment }
  },
  // The table has told which of them are on the allowlist.
  select: async ({ nfts }: WalletPage) => [...nfts],
  leaveAt: async (position: ReadingPosition) => position,
})

/** How far the followed chains are read, if what is kept may be used. A cursor makes Cache-Control have no effect. */
function positionsFor(
  accepted: AcceptedAge,
  begun: PlayerNftsBeginning | undefined,
  keptReadings: KeptReadings,
): Promise<ChainPositions> | undefined {
  if (!keptReadings.isOn || !acceptsKept(accepted)) return undefined
  return begun?.positions ?? neededLater(keptReadings.positions())
}

/** The moment of which the oldest of these parts speaks; now if there are none. */
const oldest = (parts: readonly { moment: number | undefined }[]): number =>
  Math.min(Date.now(), ...parts.map(({ moment = Number.POSITIVE_INFINITY }) => moment))

const compareOwned = (a: OwnedNft, b: OwnedNft): number =>
  compareNfts(a, b) || compareTexts(a.owner, b.owner)

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
