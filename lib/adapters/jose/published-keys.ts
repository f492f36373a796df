import type { KeyObject } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import type { PublicJwk, PublicKeys } from '../../domain/ports.ts'
import { userJwtKeySettings } from '../../settings/environment.ts'
import type { VerificationKeys } from '../verification-keys.ts'

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
    const { algorithm } = userJwtKeySettings()
    const sets = [jwks(playerTokenKeys, 'ES256'), jwks(userJwtKeys, algorithm)]
    return (await Promise.all(sets)).flat()
  },
})

async function jwks(keys: VerificationKeys, alg: string): Promise<PublicJwk[]> {
  const set: PublicJwk[] = []
  for await (const key of keys.accepted()) set.push(await jwk(key, alg))
  return set
}

async function jwk(key: KeyObject, alg: string): Promise<PublicJwk> {
  const { kty = '', ...members } = key.export({ format: 'jwk' })
  return {
    kty,
    ...members,
    kid: await calculateJwkThumbprint({ kty, ...members }),
    alg,
    use: 'sig',
  }
}
