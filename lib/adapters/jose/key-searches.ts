/** The pause after a request that failed or did not bring the key, in milliseconds (D40). */
export const coolDownMilliseconds = 10_000

/** The requests for a key set, as far as a search depends on them. */
interface KeySetRequests {
  readonly inProgress: Promise<void> | undefined
  /** When the last request failed, in milliseconds since 1970. */
  readonly failedAt: number
}

/** A request for a key that was not known. */
export interface KeySearch {
  /** When it began, in milliseconds since 1970. */
  readonly at: number
  /** Whether a JWT waited for it that no key verifies. */
  isVain: boolean
}

/**
 * The searches for keys. The cool-down begins with a search, is the same for all JWTs that wait for it or come later,
 * and ends early only if every JWT that waited has its key (D40).
 */
export interface KeySearches {
  readonly latest: KeySearch | undefined
  /** Joins the search of the request in progress, or begins one; `undefined` in the cool-down. */
  join(): KeySearch | undefined
  /** Notes for a JWT whether its search was in vain. */
  settle(search: KeySearch | undefined, isVain: boolean): void
}

/** Returns the searches of a key set. Makes no request. */
export function keySearches(requests: KeySetRequests): KeySearches {
  let latest: KeySearch | undefined

  // After a failure, a JWT without a key is not refused, but unavailable.
  const isCooling = ({ at }: KeySearch) =>
    requests.failedAt < at && Date.now() < at + coolDownMilliseconds

  return {
    get latest() {
      return latest
    },
    join() {
      if (latest && isCooling(latest)) return requests.inProgress && latest
      latest = { at: Date.now(), isVain: false }
      return latest
    },
    settle(search, isVain) {
      if (search && isVain) {
        search.isVain = true
        latest ??= search
      } else if (!search?.isVain && latest === search) latest = undefined
    },
  }
}
