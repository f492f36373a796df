import { KeyObject } from 'node:crypto'
import { type CryptoKey, createRemoteJWKSet, customFetch, errors } from 'jose'
import { ServiceUnavailable } from '../../domain/failures.ts'
import { keySetMilliseconds } from '../../domain/time-budget.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import type { KeyHint, VerificationKey, VerificationKeys } from '../verification-keys.ts'
import { requestKeySet } from './key-set-request.ts'
import { publishedKey, usableKeys } from './usable-keys.ts'

/** How long a key set verifies user JWTs before it is read again, in milliseconds (D40). */
const refreshMilliseconds = 10 * 60_000

/** How long a key set is used while it cannot be read again, in milliseconds (D40). */
const staleMilliseconds = 60 * 60_000

/** The pause after a request that failed or did not bring the key, in milliseconds (D40). */
const coolDownMilliseconds = 10_000

/** The JWK set of a login, and the algorithms that are accepted from it. */
export interface RemoteKeySet {
  url: string
  algorithms: readonly string[]
}

/**
 * The keys in the JWK set of a login. jose reads and caches the set. It is read again after 10 minutes, and
 * at once for a JWT that no cached key verifies, so that the login can replace its keys at any time. A
 * request that does not bring the key, or fails, begins a cool-down of 10 s without such requests. While
 * the set cannot be read, its keys stay accepted for an hour, and other keys cause ServiceUnavailable,
 * because the JWT may be valid (D40).
 */
export function remoteKeys({ url, algorithms }: RemoteKeySet): VerificationKeys {
  const keySet = cachedKeySet(url, algorithms)

  async function published(): Promise<VerificationKey[]> {
    await keySet.readAfter(coolDownMilliseconds)
    return keySet.jwks().map((jwk) => publishedKey(jwk, algorithms))
  }

  return {
    async current() {
      const [first] = await published()
      return (first as VerificationKey).key
    },
    async *accepted(hint) {
      if (!hint) return yield* await published()
      await keySet.readAfter(refreshMilliseconds)
      const before = keySet.readings()
      let found = yield* keySet.matching(hint)
      // A JWT that names a known key, and is not signed with it, gives no reason to look for new keys.
      if (found > 0 && hint.kid !== undefined) return
      if (await keySet.readSince(before)) found = yield* keySet.matching(hint)
      keySet.beginCoolDown()
      if (found === 0) throw new errors.JWKSNoMatchingKey()
    },
  }
}

/** The set as jose caches it, and the rules for the requests that read it. */
function cachedKeySet(url: string, algorithms: readonly string[]) {
  const set = createRemoteJWKSet(new URL(url), {
    timeoutDuration: keySetMilliseconds,
    cacheMaxAge: staleMilliseconds,
    // jose begins its cool-down with every request, and would then reject a key that is published later.
    cooldownDuration: Number.POSITIVE_INFINITY,
    [customFetch]: async (target, { headers, signal }) => {
      const document = await requestKeySet(target, Object.fromEntries(headers), signal)
      const keys = usableKeys(document, algorithms)
      return { status: 200, json: async () => keys } as Response
    },
  })
  let readings = 0
  let readAt = Number.NEGATIVE_INFINITY
  let failedAt = Number.NEGATIVE_INFINITY
  let coolingSince = Number.NEGATIVE_INFINITY

  async function read(): Promise<void> {
    const pause = failedAt + coolDownMilliseconds - Date.now()
    if (pause > 0) throw unavailable('a request failed moments ago', pause)
    try {
      // Several requests share the result, so it does not end with one of them.
      await downstreamCalls.shared(() => set.reload())
      readings += 1
      readAt = Date.now()
    } catch (error) {
      failedAt = Date.now()
      if (!(error instanceof ServiceUnavailable)) throw error
      throw unavailable(error.reason, coolDownMilliseconds)
    }
  }

  return {
    jwks: () => set.jwks()?.keys ?? [],
    readings: () => readings,

    /** Reads the set unless it was read within this time. A failure counts only without a usable set. */
    async readAfter(milliseconds: number): Promise<void> {
      if (Date.now() < readAt + milliseconds) return
      await read().catch((error: unknown) => {
        if (!set.fresh) throw error
      })
    },

    /** Reads the set, except in the cool-down. Returns whether it was read after `before`, by any request. */
    async readSince(before: number): Promise<boolean> {
      const isCooling = Date.now() < coolingSince + coolDownMilliseconds
      if (readings === before && (set.reloading || !isCooling)) await read()
      return readings !== before
    },

    beginCoolDown(): void {
      coolingSince = Date.now()
    },

    /** Yields the keys for a JWT, and returns their number. */
    async *matching({ alg, kid }: KeyHint): AsyncGenerator<VerificationKey, number> {
      let count = 0
      const header = { alg, ...(kid !== undefined && { kid: kid as string }) }
      for await (const key of keysFor(set, header)) {
        count += 1
        yield { key: KeyObject.from(key) }
      }
      return count
    },
  }
}

async function* keysFor(
  set: ReturnType<typeof createRemoteJWKSet>,
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
