import { errors } from 'jose'
import type { VerificationKey, VerificationKeys } from '../verification-keys.ts'
import { cachedKeySet, type RemoteKeySet } from './cached-key-set.ts'
import { coolDownMilliseconds } from './key-searches.ts'
import { UnreadableKeySet } from './key-set-request.ts'

/** How long a key set verifies user JWTs before it is read again, in milliseconds (D40). */
const refreshMilliseconds = 10 * 60_000

/**
 * The keys in the JWK set of a login. The set is cached. It is read again after 10 minutes, and at once for a JWT
 * that no cached key verifies, so that the login can replace its keys at any time. A request that does not bring
 * the key, or fails, begins a cool-down of 10 s without such requests. JWTs in the cool-down do not prolong it.
 * While the set cannot be read, its keys stay accepted for an hour, and other keys cause ServiceUnavailable, because
 * the JWT may be valid (D40).
 */
export function remoteKeys(from: RemoteKeySet): VerificationKeys {
  const keySet = cachedKeySet(from)

  async function published(): Promise<readonly VerificationKey[]> {
    await keySet.readAfter(coolDownMilliseconds)
    return keySet.keys()
  }

  return {
    async current() {
      const [first] = await published()
      if (!first) throw new UnreadableKeySet('no usable key')
      return first.key
    },
    async *accepted(hint) {
      if (!hint) return yield* await published()
      await keySet.readAfter(refreshMilliseconds)
      const before = keySet.readings()
      const known = keySet.matching(hint)
      yield* known
      // A JWT that names a known key, and is not signed with it, gives no reason to look for new keys.
      if (known.length > 0 && hint.kid !== undefined) return
      const found = (yield* keySet.searched(hint, before)) ?? known.length
      if (found === 0) throw new errors.JWKSNoMatchingKey()
    },
  }
}
