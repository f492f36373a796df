import { calculateJwkThumbprint } from 'jose'
import { ServiceUnavailable } from '../../domain/failures.ts'
import { requestSubject } from '../../observability/request-subject.ts'
import { loginKeySettings } from '../../settings/logins.ts'
import type { VerificationKey, VerificationKeys } from '../verification-keys.ts'

/**
 * Every accepted key of both kinds as a JWK set (RFC 7517; D32). A key of player tokens that cannot be read fails the
 * call. A login whose keys cannot be read is left out, so that the keys of player tokens never depend on a login, and
 * the log line has the reason, and `leaveOut` is called (D137). The sets are read side by side.
 */
export const publishedKeySet = (
  playerTokenKeys: VerificationKeys,
  logins: readonly VerificationKeys[],
) => ({
  async keySet(leaveOut: () => void = () => undefined) {
    const algorithms = loginKeySettings().map((login) => login.algorithms[0])
    const ofLogins = logins.map((keys, index) =>
      jwks(keys, algorithms[index] ?? '').catch(leftOut(leaveOut)),
    )
    return (await Promise.all([jwks(playerTokenKeys, 'ES256'), ...ofLogins])).flat()
  },
})

/** What takes the place of the keys of a login that cannot be read. */
const leftOut = (leaveOut: () => void) => (error: unknown) => {
  if (!(error instanceof ServiceUnavailable)) throw error
  requestSubject.note({ unreadKeys: error.reason })
  leaveOut()
  return []
}

async function jwks(keys: VerificationKeys, algorithm: string) {
  const set: Awaited<ReturnType<typeof jwk>>[] = []
  for await (const key of keys.accepted()) set.push(await jwk(key, algorithm))
  return set
}

/** A key as a JWK; its `kid` is its thumbprint (RFC 7638). A login's own names stay, because the JWTs of the login contain them. */
async function jwk({ key, kid, alg }: VerificationKey, algorithm: string) {
  const { kty = '', ...members } = key.export({ format: 'jwk' })
  return {
    kty,
    ...members,
    kid: kid ?? (await calculateJwkThumbprint({ kty, ...members })),
    alg: alg ?? algorithm,
    use: 'sig' as const,
  }
}
