import { CursorExpired, IndexerUnavailable, ServiceUnavailable } from '../failures.ts'
import type { OwnedNft } from '../nft/owned-nft.ts'
import type { ChainEvents } from '../ports/chain-events.ts'
import type { Indexer } from '../ports/indexer.ts'
import type { ChainPositions, FoundReading, KeptReadings } from '../ports/kept-readings.ts'
import type { Deadline } from '../time-budget.ts'
import type { AcceptedAge, RememberingSettings } from './freshness.ts'
import { type Gathering, gatherPages } from './gathering.ts'
import { type KeptPages, keptPages } from './kept-pages.ts'
import type { ReadingId, ReadingScope, ReadPages } from './kept-reading.ts'
import type { KeptPosition, ReadingPosition, ReadingProgress } from './reading-position.ts'
import { findUsable, type Unpacked } from './usable-reading.ts'

export interface WalletReadingPorts {
  indexer: Pick<Indexer, 'ownedNfts'>
  chainBlocks: Pick<ChainEvents, 'block'>
  keptReadings: KeptReadings
  remembering: RememberingSettings
}

/** A page of a wallet's NFTs, before the allowlist selects from it. */
export interface WalletPage {
  nfts: readonly OwnedNft[]
  next?: string | undefined
  progress?: ReadingProgress | undefined
  /** The moment of which it speaks, in milliseconds since 1970 (D67). */
  moment: number
  /** The kept reading that it comes from, and the pages after it that are known already. */
  reading?: KeptPosition | undefined
  following?: ReadPages | undefined
}

/** The pages of a wallet, for one request. */
export interface WalletReading {
  /** Reads a page. Throws CursorExpired if the kept reading of the position is gone, and the failures of the indexer. */
  read(position: ReadingPosition): Promise<WalletPage>
  /** Keeps what a cursor needs that goes on at a position, and returns the position for the cursor. */
  leaveAt(position: ReadingPosition): Promise<ReadingPosition>
}

/** What the reading of a wallet takes from its request. */
interface WalletRequest {
  accepted: AcceptedAge
  /** How far the followed chains are read; absent for a caller who accepts nothing that is kept. */
  positions: Promise<ChainPositions> | undefined
  /** Begins what is to be read in one request with what is kept. */
  beside?: (() => void) | undefined
  /** The most entries of the response. */
  limit: number
  deadline: Deadline
}

/** The moment of which a kept reading speaks, and whether it is used because the indexer was down. */
type KeptAge = Omit<KeptPosition, 'id'>

/** The time before the deadline at which a response does not wait until pages are kept, in milliseconds. */
const keepReserveMilliseconds = 2_500

/**
 * The pages of a wallet: from the kept reading if it may be used (D65), else from the indexer, whose answer is then kept.
 * A position within a reading goes on in the same reading.
 */
export function walletReading(
  scope: ReadingScope,
  request: WalletRequest,
  ports: WalletReadingPorts,
): WalletReading {
  const { limit, deadline } = request
  const { indexer, keptReadings } = ports
  const isKept = keptReadings.keeps(scope.chain)
  const seen = new Set<string>()
  let kept: KeptPages | undefined
  let latest: FoundReading | undefined
  let gathering: Gathering | undefined

  return {
    async read(position) {
      if (position.reading) return await keptPage(position, position.reading)
      const isStart = position.pageKey === undefined && position.returned.length === 0
      if (isKept && isStart) return await firstPage(position)
      if (isKept && position.begun) gathering ??= gatherPages(scope, position.begun, keptReadings)
      return await askIndexer(position)
    },

    async leaveAt(position) {
      // A reading that a cursor has named is kept for cursors already.
      if (position.reading) latest?.keepForCursors()
      const hasTime = deadline - Date.now() > keepReserveMilliseconds
      const begun = hasTime ? await gathering?.leave(position.pageKey) : undefined
      return { ...position, begun }
    },
  }

  async function firstPage(position: ReadingPosition): Promise<WalletPage> {
    const { usable, stale, ...found } = await findUsable(scope, request, ports)
    latest = found.latest
    if (usable && (await isThere(usable))) return await answerFrom(usable)
    gathering = gatherPages(scope, undefined, keptReadings)
    try {
      return await askIndexer(position)
    } catch (error) {
      if (!(error instanceof IndexerUnavailable)) throw error
      const older = await stale()
      if (!older || !(await isThere(older))) throw error
      return await answerFrom(older, true)
    }
  }

  /** Whether the first parts of a reading are there, which its other parts will then be too, but for damage. */
  async function isThere({ reading }: Unpacked): Promise<boolean> {
    kept ??= keptPages(reading, limit)
    try {
      const pages = await kept.from(0)
      if (!pages) lose(reading.readingId)
      return pages !== undefined
    } catch (error) {
      if (error instanceof ServiceUnavailable) return false
      throw error
    }
  }

  /** Notes that a part of a kept reading is missing or damaged, so that no list begins in it again. */
  function lose(id: ReadingId): void {
    keptReadings.noteBranch(scope, id, false)
  }

  async function keptPage(
    { pageKey = '0' }: ReadingPosition,
    { id, ...age }: KeptPosition,
  ): Promise<WalletPage> {
    if (kept) return await pageOf(kept, age, Number(pageKey))
    const reading = await keptReadings.get(scope, id)
    if (!reading) throw new CursorExpired()
    keptReadings.count(age.isStale ? 'stale' : 'used')
    kept = keptPages(reading, limit)
    return await pageOf(kept, age, Number(pageKey))
  }

  async function pageOf(pages: KeptPages, age: KeptAge, index: number): Promise<WalletPage> {
    const { reading, count } = pages
    const [nfts, ...following] = (await pages.from(index)) ?? []
    if (!nfts) {
      if (index < count) lose(reading.readingId)
      throw new CursorExpired()
    }
    const next = index + 1 < count ? `${index + 1}` : undefined
    return { nfts, following, next, moment: age.moment, reading: { id: reading.readingId, ...age } }
  }

  async function answerFrom({ reading, moment }: Unpacked, isStale?: true): Promise<WalletPage> {
    kept ??= keptPages(reading, limit)
    keptReadings.count(isStale ? 'stale' : 'used')
    return await pageOf(kept, { moment, ...(isStale && { isStale }) }, 0)
  }

  async function askIndexer({ pageKey, progress }: ReadingPosition): Promise<WalletPage> {
    const askedAt = Date.now()
    const page = await indexer.ownedNfts({
      chain: scope.chain,
      owner: scope.owner,
      contracts: scope.contracts,
      ...(pageKey !== undefined && { pageKey }),
      ...(progress && { progress }),
      seen,
      deadline,
    })
    const { nfts, pageKey: next, progress: after, block } = page
    gathering?.add({ pageKey, nfts, next, block })
    return { nfts, next, progress: after, moment: block?.at ?? askedAt }
  }
}
