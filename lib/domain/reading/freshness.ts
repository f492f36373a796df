import type { ReadingAge } from './kept-reading.ts'

/** What is known of the contract of a kept reading that can make the reading out of date. */
export interface ContractEvidence {
  /**
   * The time of the block from which on every movement of the contract's NFTs is noted; absent while the
   * contract is not followed.
   */
  followedSince?: number | undefined
  /** The step that has noted this, after the movements that it has read; absent if nobody knows. */
  followedStep?: number | undefined
  /** The latest time of a metadata event of the contract (ERC-4906). */
  metadataChangedAt?: number | undefined
}

/** What the follower of a chain has noted that concerns a kept reading. It is read after `confirmedUpTo`. */
export interface ChainEvidence {
  /** The time of the block up to which the follower has confirmed its notes: they have every movement (D85). */
  confirmedUpTo: number
  /** The latest moment at which a reorganisation or a gap was noticed: nothing that was read before it is used. */
  distrustedBefore: number
  /** The step of the follower that has written these; absent if nobody knows. */
  step?: number | undefined
  contracts: readonly ContractEvidence[]
  /** The latest time of a movement that touches the wallet and one of the contracts. */
  movedAt?: number | undefined
}

/** Everything that decides whether a kept reading may be used. All times are in milliseconds since 1970. */
export interface Evidence {
  now: number
  /** Absent on a chain that is not followed. */
  chain?: ChainEvidence | undefined
  /** The latest moment at which a refresh of one of the contracts was at work (4.7): now, while it is. */
  refreshedAt?: number | undefined
}

/** How old a remembered answer may be: what the deployment allows. */
export interface RememberingSettings {
  /** On a chain that is not followed. 0: nothing is remembered there. */
  rememberSeconds: number
  /** On a followed chain. */
  rememberFollowedSeconds: number
  /** How far the indexer's data can be behind the block that it states. */
  settlingSeconds: number
}

/** What a caller says about the age of an answer, in the header Cache-Control (RFC 9111, RFC 5861; D67). */
export interface AcceptedAge {
  /** Whether nothing that is kept may be used. */
  refusesKept?: boolean | undefined
  /** The greatest age that the caller accepts, in seconds. */
  maxAgeSeconds?: number | undefined
  /** The greatest age that the caller accepts if the indexer is down, in seconds. */
  staleIfErrorSeconds?: number | undefined
}

/** Whether a caller can accept an answer that is kept. */
export const acceptsKept = ({ refusesKept = false, staleIfErrorSeconds }: AcceptedAge): boolean =>
  !refusesKept || staleIfErrorSeconds !== undefined

/** The longest time since the last block that the follower has confirmed, for its notes to count, in seconds. */
export const maxFollowerLagSeconds = 60

/** The longest age of an answer that `stale-if-error` permits, in seconds. */
export const maxStaleSeconds = 86_400

/** The moment of which a reading that nothing has confirmed since speaks. */
export const readingMoment = ({ readAt, block }: ReadingAge) => block?.at ?? readAt

/**
 * Decides whether a kept reading may be used in place of the indexer's answer, and returns the moment of which
 * it then speaks (D65). `undefined`: the indexer is asked, as in every case of doubt.
 */
export function momentOf(
  reading: ReadingAge,
  evidence: Evidence,
  settings: RememberingSettings,
  { refusesKept = false, maxAgeSeconds = Number.POSITIVE_INFINITY }: AcceptedAge = {},
): number | undefined {
  if (refusesKept) return undefined
  const moment = evidence.chain
    ? followedMoment(reading, evidence.chain, evidence.now, settings)
    : notFollowedMoment(reading, evidence.now, settings)
  const { now, refreshedAt = Number.NEGATIVE_INFINITY } = evidence
  if (moment === undefined || refreshedAt >= reading.readAt) return undefined
  return now - moment <= maxAgeSeconds * 1_000 ? moment : undefined
}

/**
 * Decides whether a kept reading may be used because the indexer is down, and returns the moment of which it then
 * speaks. Only the caller decides about its age, up to a day.
 */
export function staleMoment(
  reading: ReadingAge,
  now: number,
  { staleIfErrorSeconds }: AcceptedAge,
): number | undefined {
  if (staleIfErrorSeconds === undefined) return undefined
  const moment = readingMoment(reading)
  const maxAgeSeconds = Math.min(staleIfErrorSeconds, maxStaleSeconds)
  return now - moment <= maxAgeSeconds * 1_000 ? moment : undefined
}

function notFollowedMoment(
  reading: ReadingAge,
  now: number,
  { rememberSeconds }: RememberingSettings,
): number | undefined {
  const moment = readingMoment(reading)
  return now - moment < rememberSeconds * 1_000 ? moment : undefined
}

function followedMoment(
  { readAt, block }: ReadingAge,
  {
    confirmedUpTo,
    distrustedBefore,
    step = Number.POSITIVE_INFINITY,
    contracts,
    movedAt = Number.NEGATIVE_INFINITY,
  }: ChainEvidence,
  now: number,
  { rememberFollowedSeconds, settlingSeconds }: RememberingSettings,
): number | undefined {
  if (!block || now - block.at >= rememberFollowedSeconds * 1_000) return undefined
  if (now - confirmedUpTo > maxFollowerLagSeconds * 1_000) return undefined
  // The indexer's data contain every block before this moment. Times of blocks are whole seconds, and several blocks can
  // share one, so the data can lack blocks of this moment itself. The time of a block is never after `readAt`, so that
  // the two comparisons with `distrustedBefore` differ only for damaged readings.
  const settled = block.at - settlingSeconds * 1_000
  if (readAt < distrustedBefore || settled < distrustedBefore) return undefined
  if (movedAt >= settled) return undefined
  const isKnown = contracts.every(
    ({ followedSince, followedStep = 0, metadataChangedAt = Number.NEGATIVE_INFINITY }) =>
      followedSince !== undefined &&
      followedSince < settled &&
      // The movements that a later step has noted may have been read before it noted them.
      followedStep <= step &&
      metadataChangedAt < settled,
  )
  return isKnown ? Math.min(now, Math.max(block.at, confirmedUpTo)) : undefined
}
