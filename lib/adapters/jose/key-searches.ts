/** The pause after a request that failed or did not bring the key, in milliseconds (D40). */
export const coolDownMilliseconds = 10_000

interface KeySetRequests {
  readonly inProgress: Promise<void> | undefined
  /** In milliseconds since 1970. */
  readonly failedAt: number
}

interface KeySearch {
  /** In milliseconds since 1970. */
  readonly at: number
  /** Whether a JWT waited for it that no key verifies. */
  isVain: boolean
}

/**
 * The searches for the keys of a key set. The cool-down begins with a search, is the same for all JWTs that wait for it
 * or come later, and ends early only if every JWT that waited has its key (D40).
 */
export function keySearches(requests: KeySetRequests) {
  let latest: KeySearch | undefined

  // After a failure, a JWT without a key is not refused, but unavailable.
  const isCooling = ({ at }: KeySearch) =>
    requests.failedAt < at && Date.now() < at + coolDownMilliseconds

  return {
    get latest(): KeySearch | undefined {
      return latest
    },
    /** Joins the search of the request in progress, or begins one; `undefined` in the cool-down. */
    join(): KeySearch | undefined {
      if (latest && isCooling(latest)) return requests.inProgress && latest
      latest = { at: Date.now(), isVain: false }
      return latest
    },
    /** Notes for a JWT whether its search was in vain. */
    settle(search: KeySearch | undefined, isVain: boolean): void {
      if (search && isVain) {
        search.isVain = true
        latest ??= search
      } else if (!search?.isVain && latest === search) latest = undefined
    },
  }
}
