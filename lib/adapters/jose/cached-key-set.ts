import { ServiceUnavailable } from '../../domain/failures.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { requestSubject } from '../../observability/request-subject.ts'
import type { KeyHint, VerificationKey } from '../verification-keys.ts'
import { coolDownMilliseconds, keySearches } from './key-searches.ts'
import { requestKeySet } from './key-set-request.ts'
import { type UsableKey, usableKeys } from './usable-keys.ts'

/** How long a key set is used while it cannot be read again, in milliseconds (D40). */
const staleMilliseconds = 60 * 60_000

/** The JWK set of a login, and the algorithms that are accepted from it. */
export interface RemoteKeySet {
  url: string
  algorithms: readonly string[]
}

/** Returns the set as it is cached, with the rules for the requests that read it (D40). Reads nothing yet. */
export function cachedKeySet(from: RemoteKeySet) {
  const requests = requestsFor(from)
  const searches = keySearches(requests)

  const matching = ({ alg, kid }: KeyHint): VerificationKey[] =>
    requests.keys.filter(
      (key) => key.algorithms.includes(alg) && (typeof kid !== 'string' || key.kid === kid),
    )

  return {
    keys: (): readonly VerificationKey[] => requests.keys,
    readings: () => requests.readings,
    matching,
    /**
     * Reads the set unless it was read within this time. Throws ServiceUnavailable if it cannot be read, and the
     * cached keys are too old; with cached keys, the log line has the reason (D137).
     */
    async readAfter(milliseconds: number): Promise<void> {
      if (Date.now() < requests.readAt + milliseconds) return
      await requests.read().catch((error: unknown) => {
        if (Date.now() >= requests.readAt + staleMilliseconds) throw error
        requestSubject.note({ unreadKeys: requests.reason })
      })
    },
    /**
     * Yields the keys for a JWT after a request for the set, or without one if it was read since `before`. Returns their
     * number, or `undefined` in the cool-down, in which it makes no request. Throws ServiceUnavailable if the set
     * cannot be read.
     */
    async *searched(
      hint: KeyHint,
      before: number,
    ): AsyncGenerator<VerificationKey, number | undefined> {
      const isNeeded = requests.readings === before
      const search = isNeeded ? searches.join() : searches.latest
      if (isNeeded && !search) return undefined
      let isVain = false
      try {
        if (isNeeded) await requests.read()
        const found = matching(hint)
        yield* found
        // The caller takes no further key after the one that verifies the JWT.
        isVain = true
        return found.length
      } finally {
        searches.settle(search, isVain)
      }
    },
  }
}

/** The requests for a key set, of which one at most is in progress, how they ended, and the keys of the last one. */
function requestsFor({ url, algorithms }: RemoteKeySet) {
  const requests = {
    keys: [] as readonly UsableKey[],
    readings: 0,
    readAt: Number.NEGATIVE_INFINITY,
    failedAt: Number.NEGATIVE_INFINITY,
    /** Why the last request failed. Every failure of the pause after it has this reason (D137). */
    reason: '',
    inProgress: undefined as Promise<void> | undefined,
    /** Reads the set, with the request that is in progress if there is one. */
    async read(): Promise<void> {
      requests.inProgress ??= request().finally(() => {
        requests.inProgress = undefined
      })
      await requests.inProgress
    },
  }

  async function request(): Promise<void> {
    const pause = requests.failedAt + coolDownMilliseconds - Date.now()
    if (pause > 0) throw unavailable(requests.reason, pause)
    try {
      // Several requests share the result, so it does not end with one of them.
      const document = await downstreamCalls.shared(() => requestKeySet(url))
      requests.keys = usableKeys(document, algorithms)
      requests.readings += 1
      requests.readAt = Date.now()
    } catch (error) {
      requests.failedAt = Date.now()
      const isDown = error instanceof ServiceUnavailable
      requests.reason = isDown ? error.reason : 'key set of the login: a defect'
      throw isDown ? unavailable(error.reason, coolDownMilliseconds) : error
    }
  }
  return requests
}

const unavailable = (reason: string, milliseconds: number) =>
  new ServiceUnavailable(reason, Math.ceil(milliseconds / 1000))
