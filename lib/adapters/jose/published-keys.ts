import { calculateJwkThumbprint } from 'jose'
import type { PublicJwk, PublicKeys } from '../../domain/ports/public-keys.ts'
import { userJwtKeySettings } from '../../settings/user-jwts.ts'
import type { VerificationKey, VerificationKeys } from '../verification-keys.ts'

/** The public key of user JWTs as DER (D32). */
export const publishedUserJwtKey = (keys: VerificationKeys): Pick<PublicKeys, 'userJwtKey'> => ({
  async userJwtKey() {
    return (await keys.current()).export({ format: 'der', type: 'spki' })
  },
})

/**
 * Every accepted key of both kinds as a JWK set (RFC 7517; D32). An unreadable key fails the call:
 * caches would otherwise keep a set without a key that already signs tokens.
 */
export const publishedKeySet = (
  userJwtKeys: VerificationKeys,
  playerTokenKeys: VerificationKeys,
): Pick<PublicKeys, 'keySet'> => ({
  async keySet() {
    const { algorithms } = userJwtKeySettings()
    const sets = [jwks(playerTokenKeys, 'ES256'), jwks(userJwtKeys, algorithms[0])]
    return (await Promise.all(sets)).flat()
  },
})

async function jwks(keys: VerificationKeys, algorithm: string): Promise<PublicJwk[]> {
  const set: PublicJwk[] = []
  for await (const key of keys.accepted()) set.push(await jwk(key, algorithm))
  return set
}

/** A login's own names stay, because the JWTs of the login contain them. */
async function jwk({ key, kid, alg }: VerificationKey, algorithm: string): Promise<PublicJwk> {
  const { kty = '', ...members } = key.export({ format: 'jwk' })
  return {
    kty,
    ...members,
    kid: kid ?? (await calculateJwkThumbprint({ kty, ...members })),
    alg: alg ?? algorithm,
    use: 'sig',
  }
}
