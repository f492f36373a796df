import { CursorExpired, IndexerUnavailable } from '../failures.ts'
import type { OwnedNft } from '../nft/owned-nft.ts'
import type { ChainEvents, HashedBlock } from '../ports/chain-events.ts'
import type { Indexer } from '../ports/indexer.ts'
import type { ChainPositions, Finding, FoundReading, KeptReadings } from '../ports/kept-readings.ts'
import type { Deadline } from '../time-budget.ts'
import {
  type AcceptedAge,
  type Evidence,
  momentOf,
  type RememberingSettings,
  staleMoment,
} from './freshness.ts'
import {
  type KeptReading,
  newReadingId,
  type ReadingAge,
  type ReadingScope,
  type StatedBlock,
} from './kept-reading.ts'
import type { KeptPosition, ReadingPosition, ReadingProgress } from './reading-position.ts'
import { branchOf } from './replaced-blocks.ts'

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
  /** The kept reading that it comes from, and all pages of that reading. */
  reading?: KeptPosition | undefined
  kept?: KeptReading | undefined
}

/** The pages of a wallet, for one request. */
export interface WalletReading {
  /** Reads a page. Throws CursorExpired if the kept reading of the position is gone, and the failures of the indexer. */
  read(position: ReadingPosition): Promise<WalletPage>
  /** Says that a cursor goes on in the kept reading that was used. */
  keepForCursors(): void
}

/** What the reading of a wallet takes from its request. */
interface WalletRequest {
  accepted: AcceptedAge
  /** How far the followed chains are read; absent for a caller who accepts nothing that is kept. */
  positions: Promise<ChainPositions> | undefined
  deadline: Deadline
}

/** The most metadata of a reading that is kept, in UTF-16 units. */
const maxKeptMetadata = 8_000_000

/** The moment of which a kept reading speaks, and whether it is used because the indexer was down. */
type KeptAge = Omit<KeptPosition, 'id'>

/** The pages of a reading that the request has read from the indexer so far. */
interface Gathered {
  readAt: number
  pages: (readonly OwnedNft[])[]
  blocks: (StatedBlock | undefined)[]
  size: number
}

/**
 * The pages of a wallet: from the kept reading if it may be used (D65), else from the indexer, whose answer is then kept.
 * A position within a reading goes on in the same reading.
 */
export function walletReading(
  scope: ReadingScope,
  request: WalletRequest,
  ports: WalletReadingPorts,
): WalletReading {
  const { accepted, positions, deadline } = request
  const { indexer, keptReadings, remembering } = ports
  const isKept = keptReadings.keeps(scope.chain)
  const seen = new Set<string>()
  let kept: KeptReading | undefined
  let latest: FoundReading | undefined
  let gathered: Gathered | undefined

  return {
    async read(position) {
      if (position.reading) return await keptPage(position, position.reading)
      const isStart = position.pageKey === undefined && position.returned.length === 0
      return isKept && isStart ? await firstPage(position) : await askIndexer(position)
    },
    // A reading that a cursor has named is kept for cursors already.
    keepForCursors: () => latest?.keepForCursors(),
  }

  async function firstPage(position: ReadingPosition): Promise<WalletPage> {
    const { reading, evidence } = await findKept()
    latest = reading
    const { usable, isReplaced } = evidence ? await examine(reading, evidence) : {}
    if (usable) return answerFrom(usable.reading, { moment: usable.moment })
    gathered = { readAt: Date.now(), pages: [], blocks: [], size: 0 }
    try {
      return await askIndexer(position)
    } catch (error) {
      if (!(error instanceof IndexerUnavailable)) throw error
      const unreplaced = isReplaced ? undefined : reading
      const stale = await unpackIf(unreplaced, (age) => staleMoment(age, Date.now(), accepted))
      if (!stale) throw error
      return answerFrom(stale.reading, { moment: stale.moment, isStale: true })
    }
  }

  async function findKept(): Promise<Partial<Finding>> {
    if (positions === undefined) return {}
    const { reading, evidence } = await keptReadings.find(scope, await positions)
    return reading?.isPart === false ? { evidence } : { reading, evidence }
  }

  /** Whether a kept reading may be used, and whether its blocks were replaced, so that it is not even stale (D87). */
  async function examine(
    found: FoundReading | undefined,
    evidence: Evidence,
  ): Promise<{ usable?: Unpacked | undefined; isReplaced?: boolean }> {
    const usable = await unpackIf(found, (age) => usableMoment(age, evidence))
    if (!usable || !evidence.chain) return { usable }
    const branch = await branchOf(scope, usable.reading, found, ports, deadline)
    return branch === 'part' || branch === 'unknown'
      ? { usable }
      : { isReplaced: branch === 'replaced' }
  }

  function usableMoment(age: ReadingAge, evidence: Evidence): number | undefined {
    return momentOf(age, evidence, remembering, accepted)
  }

  async function keptPage(
    { pageKey = '0' }: ReadingPosition,
    { id, ...age }: KeptPosition,
  ): Promise<WalletPage> {
    const index = Number(pageKey)
    if (kept) return pageOf(kept, age, index)
    const reading = await keptReadings.get(scope, id)
    if (!reading) throw new CursorExpired()
    return answerFrom(reading, age, index)
  }

  function answerFrom(reading: KeptReading, age: KeptAge, index = 0): WalletPage {
    kept = reading
    keptReadings.count(age.isStale ? 'stale' : 'used')
    return pageOf(reading, age, index)
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
    gather(page)
    const { nfts, pageKey: next, progress: after, block } = page
    return { nfts, next, progress: after, moment: block?.at ?? askedAt }
  }

  function gather({ nfts, pageKey, block }: Awaited<ReturnType<Indexer['ownedNfts']>>): void {
    if (!gathered) return
    gathered.pages.push(nfts)
    gathered.blocks.push(block)
    gathered.size += nfts.reduce((size, { metadata }) => size + metadata.text.length, 0)
    const isTooLarge = gathered.size > maxKeptMetadata
    if (isTooLarge) keptReadings.count('tooLarge')
    else if (pageKey === undefined) keptReadings.keep(scope, readingOf(gathered))
    if (isTooLarge || pageKey === undefined) gathered = undefined
  }
}

/** A reading that was unpacked, and the moment of which it speaks. */
interface Unpacked {
  reading: KeptReading
  moment: number
}

/**
 * Unpacks a reading that has a moment, which is that of the unpacked reading: to unpack takes longer than to decide,
 * and most readings that are found on a busy chain cannot be used.
 */
async function unpackIf(
  found: FoundReading | undefined,
  momentOfAge: (age: ReadingAge) => number | undefined,
): Promise<Unpacked | undefined> {
  if (!found || momentOfAge(found) === undefined) return undefined
  const reading = await found.unpack()
  const moment = reading && momentOfAge(reading)
  return reading && moment !== undefined ? { reading, moment } : undefined
}

function pageOf(kept: KeptReading, age: KeptAge, index: number): WalletPage {
  const nfts = kept.pages[index]
  if (!nfts) throw new CursorExpired()
  const next = index + 1 < kept.pages.length ? `${index + 1}` : undefined
  return { nfts, next, moment: age.moment, reading: { id: kept.readingId, ...age }, kept }
}

function readingOf({ readAt, pages, blocks }: Gathered): KeptReading {
  const known = blocks.filter((block) => block !== undefined)
  const [first, ...others] = known
  const isKnown = first !== undefined && known.length === blocks.length
  const earliest = others.reduce((a, b) => (b && a && b.at < a.at ? b : a), first)
  const hashed = known.filter((block): block is HashedBlock => block.hash !== undefined)
  const stated = new Map(hashed.map((block) => [block.hash, block]))
  return {
    readingId: newReadingId(readAt),
    readAt,
    // A refresh is noted by the time of this machine, which must not be before the block.
    block:
      isKnown && earliest
        ? { number: earliest.number, at: Math.min(earliest.at, readAt) }
        : undefined,
    stated: hashed.length === blocks.length ? [...stated.values()] : undefined,
    pages,
  }
}
