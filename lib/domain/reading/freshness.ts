/** What a caller says about the age of an answer, in the header Cache-Control (RFC 9111, RFC 5861; D156). */
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

/** The longest time since the last block that the follower has confirmed with which holdings are used that are kept, in seconds. */
export const maxFollowerLagSeconds = 60

/** The longest age of an answer that `stale-if-error` permits, in seconds. */
export const maxStaleSeconds = 86_400

/** The greatest age, in seconds, with which a caller accepts what is kept in place of the indexer's answer. */
export const acceptedSeconds = ({ refusesKept, maxAgeSeconds }: AcceptedAge): number =>
  refusesKept ? Number.NEGATIVE_INFINITY : (maxAgeSeconds ?? Number.POSITIVE_INFINITY)

/** The same because the indexer is down: only the caller decides, up to a day. */
export const acceptedStaleSeconds = ({ staleIfErrorSeconds }: AcceptedAge): number =>
  Math.min(staleIfErrorSeconds ?? Number.NEGATIVE_INFINITY, maxStaleSeconds)
