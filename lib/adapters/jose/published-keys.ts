import type { KeyObject } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { userJwtKeySettings } from '../../config.ts'
import type { PublicJwk, PublicKeys } from '../../domain/ports.ts'
import type { VerificationKeys } from '../verification-keys.ts'

/** The public key of user JWTs, as base64-able DER (D32). */
export const publishedUserJwtKey = (keys: VerificationKeys): Pick<PublicKeys, 'userJwtKey'> => ({
  async userJwtKey() {
    const [current] = await keys()
    if (!current) throw new Error('no user JWT key')
    return current.export({ format: 'der', type: 'spki' })
  },
})

/** Every accepted key of both kinds as a JWK set (RFC 7517; D32). */
export const publishedKeySet = (
  userJwtKeys: VerificationKeys,
  playerTokenKeys: VerificationKeys,
): Pick<PublicKeys, 'keySet'> => ({
  async keySet() {
    const { algorithm } = userJwtKeySettings()
    const [userKeys, playerKeys] = await Promise.all([userJwtKeys(), playerTokenKeys()])
    return await Promise.all([
      ...playerKeys.map((key) => jwk(key, 'ES256')),
      ...userKeys.map((key) => jwk(key, algorithm)),
    ])
  },
})

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
