import { errors } from 'jose'
import { ServiceUnavailable } from '../../domain/failures.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { requestSubject } from '../../observability/request-subject.ts'
import type { KeyHint, VerificationKey, VerificationKeys } from '../verification-keys.ts'
import { coolDownMilliseconds, keySearches } from './key-searches.ts'
import { requestKeySet, UnreadableKeySet } from './key-set-request.ts'
import { type UsableKey, usableKeys } from './usable-keys.ts'

/** How long a key set verifies user JWTs before it is read again, in milliseconds (D40). */
const refreshMilliseconds = 10 * 60_000

/** How long a key set is used while it cannot be read again, in milliseconds (D40). */
const staleMilliseconds = 60 * 60_000

/** The JWK set of a login, and the algorithms that are accepted from it. */
interface RemoteKeySet {
  url: string
  algorithms: readonly string[]
}

/**
 * The keys in the JWK set of a login. The set is cached. It is read again after 10 minutes, and at once for a JWT
 * that no cached key verifies, so that the login can replace its keys at any time. A request that does not bring
 * the key, or fails, begins a cool-down of 10 s without such requests. JWTs in the cool-down do not prolong it.
 * While the set cannot be read, its keys stay accepted for an hour, and other keys cause ServiceUnavailable, because
 * the JWT may be valid (D40).
 */
export function remoteKeys(from: RemoteKeySet): VerificationKeys {
  const requests = requestsFor(from)
  const searches = keySearches(requests)

  const matching = ({ alg, kid }: KeyHint): VerificationKey[] =>
    requests.keys.filter(
      (key) => key.algorithms.includes(alg) && (typeof kid !== 'string' || key.kid === kid),
    )

  /**
   * The cached keys, after a request for the set unless it was read within this time. Throws ServiceUnavailable if it cannot be read,
   * and the cached keys are too old; with cached keys, the log line has the reason (D137).
   */
  async function readAfter(milliseconds: number): Promise<readonly VerificationKey[]> {
    if (Date.now() >= requests.readAt + milliseconds) {
      await requests.read().catch((error: unknown) => {
        if (Date.now() >= requests.readAt + staleMilliseconds) throw error
        requestSubject.note({ unreadKeys: requests.reason })
      })
    }
    return requests.keys
  }

  /**
   * Yields the keys for a JWT after a request for the set, or without one if it was read since `before`. Returns their
   * number, or `undefined` in the cool-down, in which it makes no request. Throws ServiceUnavailable if the set
   * cannot be read.
   */
  async function* searched(
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
  }

  return {
    async current() {
      const [first] = await readAfter(coolDownMilliseconds)
      if (!first) throw new UnreadableKeySet('no usable key')
      return first.key
    },
    async *accepted(hint) {
      if (!hint) return yield* await readAfter(coolDownMilliseconds)
      await readAfter(refreshMilliseconds)
      const before = requests.readings
      const known = matching(hint)
      yield* known
      // A JWT that names a known key, and is not signed with it, gives no reason to look for new keys.
      if (known.length > 0 && hint.kid !== undefined) return
      const found = (yield* searched(hint, before)) ?? known.length
      if (found === 0) throw new errors.JWKSNoMatchingKey()
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
