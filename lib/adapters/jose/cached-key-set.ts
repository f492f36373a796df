import { KeyObject } from 'node:crypto'
import { type CryptoKey, createRemoteJWKSet, customFetch, errors, type JWK } from 'jose'
import { ServiceUnavailable } from '../../domain/failures.ts'
import { keySetMilliseconds } from '../../domain/time-budget.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { requestSubject } from '../../observability/request-subject.ts'
import type { KeyHint, VerificationKey } from '../verification-keys.ts'
import { coolDownMilliseconds, keySearches } from './key-searches.ts'
import { requestKeySet } from './key-set-request.ts'
import { usableKeys } from './usable-keys.ts'

/** How long a key set is used while it cannot be read again, in milliseconds (D40). */
const staleMilliseconds = 60 * 60_000

/** The JWK set of a login, and the algorithms that are accepted from it. */
export interface RemoteKeySet {
  url: string
  algorithms: readonly string[]
}

type RemoteSet = ReturnType<typeof createRemoteJWKSet>

/** Returns the set as jose caches it, with the rules for the requests that read it (D40). Reads nothing yet. */
export function cachedKeySet(from: RemoteKeySet) {
  const set = remoteSet(from)
  const requests = requestsFor(set)
  const searches = keySearches(requests)

  /** Yields the cached keys for a JWT, and returns their number. */
  async function* matching({ alg, kid }: KeyHint): AsyncGenerator<VerificationKey, number> {
    let count = 0
    const header = { alg, ...(typeof kid === 'string' && { kid }) }
    for await (const key of keysFor(set, header)) {
      count += 1
      yield { key: KeyObject.from(key) }
    }
    return count
  }

  return {
    jwks: (): JWK[] => set.jwks()?.keys ?? [],
    readings: () => requests.readings,
    matching,
    /**
     * Reads the set unless it was read within this time. Throws ServiceUnavailable if it cannot be read, and the
     * cached keys are too old; with cached keys, the log line has the reason (D137).
     */
    async readAfter(milliseconds: number): Promise<void> {
      if (Date.now() < requests.readAt + milliseconds) return
      await requests.read().catch((error: unknown) => {
        if (!set.fresh) throw error
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
        const found = yield* matching(hint)
        // The caller takes no further key after the one that verifies the JWT.
        isVain = true
        return found
      } finally {
        searches.settle(search, isVain)
      }
    },
  }
}

const remoteSet = ({ url, algorithms }: RemoteKeySet): RemoteSet =>
  createRemoteJWKSet(new URL(url), {
    timeoutDuration: keySetMilliseconds,
    cacheMaxAge: staleMilliseconds,
    // jose begins its cool-down with every request, and would then reject a key that is published later.
    cooldownDuration: Number.POSITIVE_INFINITY,
    [customFetch]: async (target, { headers, signal }) => {
      const document = await requestKeySet(target, Object.fromEntries(headers), signal)
      const keys = usableKeys(document, algorithms)
      // jose reads nothing else of it, and the class Response would load undici.
      return { status: 200, json: async () => keys } as Response
    },
  })

/** The requests for a key set, of which one at most is in progress, and how they ended. */
interface Requests {
  readings: number
  readAt: number
  failedAt: number
  /** Why the last request failed. Every failure of the pause after it has this reason (D137). */
  reason: string
  inProgress: Promise<void> | undefined
  /** Reads the set, with the request that is in progress if there is one. */
  read(): Promise<void>
}

function requestsFor(set: RemoteSet): Requests {
  const requests: Requests = {
    readings: 0,
    readAt: Number.NEGATIVE_INFINITY,
    failedAt: Number.NEGATIVE_INFINITY,
    reason: '',
    inProgress: undefined,
    async read() {
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
      await downstreamCalls.shared(() => set.reload())
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

async function* keysFor(
  set: RemoteSet,
  header: { alg: string; kid?: string },
): AsyncGenerator<CryptoKey> {
  try {
    yield await set(header)
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) yield* error
    else if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
  }
}

const unavailable = (reason: string, milliseconds: number) =>
  new ServiceUnavailable(reason, Math.ceil(milliseconds / 1000))
