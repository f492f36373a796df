import type { Chain } from '../nft/chain.ts'
import type { Evidence } from '../reading/freshness.ts'
import type {
  BegunName,
  BegunReading,
  GatheredReading,
  KeptReading,
  ReadingAge,
  ReadingId,
  ReadingScope,
} from '../reading/kept-reading.ts'

/** The indexer's answers that are kept (D65). What cannot be read counts as not kept, and fails for no request. */
export interface KeptReadings {
  /** Whether answers about any chain are kept. Without it, nothing is looked for and nothing is kept. */
  readonly isOn: boolean
  /** Whether answers about a chain are kept at all. Without it, no other method is called for the chain. */
  keeps(chain: Chain): boolean
  /**
   * Reads how far the followed chains are read. Evidence must be read after it, so that it contains every note up
   * to there.
   */
  positions(): Promise<ChainPositions>
  /** The latest kept reading of a scope with the evidence that decides about its use, in one request. */
  find(scope: ReadingScope, positions: ChainPositions): Promise<Finding>
  /**
   * The kept reading that a cursor carries; `undefined` if it is not kept any more. Throws ServiceUnavailable if it
   * cannot be read.
   */
  get(scope: ReadingScope, readingId: ReadingId): Promise<KeptReading | undefined>
  /**
   * Notes, beside the request, whether the blocks of a kept reading are part of the chain (D87). A reading of which they
   * are not is not used, nor one that has lost a part (D91). `false` holds whatever else is noted of it, before or after.
   */
  noteBranch(scope: ReadingScope, readingId: ReadingId, isPart: boolean): void
  /** Keeps a reading that is at its end, beside the request. Fails for no reading. `undefined`: nothing is to be kept. */
  keep(scope: ReadingScope, reading: Promise<GatheredReading | undefined>): void
  /**
   * Keeps the pages of a reading that goes on in another request, and returns what finds it; `undefined` if they are not
   * all kept soon. Nothing but {@link begun} finds them until the reading is at its end.
   */
  keepBegun(scope: ReadingScope, reading: GatheredReading): Promise<BegunName | undefined>
  /** A reading that an earlier request has begun; `undefined` if it cannot be read. */
  begun(scope: ReadingScope, name: BegunName): Promise<BegunReading | undefined>
  /** Counts what became of a reading. */
  count(event: ReadingEvent): void
}

/** The latest kept reading of a scope, if there is one, and the evidence that decides about its use. */
export interface Finding {
  reading?: FoundReading | undefined
  evidence: Evidence
}

/**
 * A kept reading that was found, with its age as far as it is known before the reading is unpacked. Only the age of
 * the unpacked reading is protected against damage.
 */
export interface FoundReading extends ReadingAge {
  /** Whether its blocks are part of the chain; absent until that is noted. */
  isPart?: boolean | undefined
  /** Unpacks the reading; `undefined` if it is damaged or of another release. */
  unpack(): Promise<KeptReading | undefined>
  /** Keeps the reading, beside the request, also for cursors that go on in it when it is not the latest one any more. */
  keepForCursors(): void
}

/** A kept reading was used as the rules allow, or in place of an indexer that is down; or it was too large to be kept. */
export type ReadingEvent = 'used' | 'stale' | 'tooLarge'

/** How far a followed chain is read. */
export interface ChainPosition {
  confirmedUpTo: number
  distrustedBefore: number
  /** The step that has written it. */
  step?: number | undefined
  /** When a read of the chain was noted; absent if none was. */
  askedAt?: number | undefined
}

/** The followed chains. A chain that has no entry is not followed. */
export type ChainPositions = ReadonlyMap<Chain, ChainPosition>
