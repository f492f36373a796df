import { createPublicKey, type KeyObject } from 'node:crypto'
import type * as v from 'valibot'
import type { userJwtAlgorithm } from './forms.ts'

type NamedSetting =
  | 'PLAYER_TOKEN_AUDIENCE'
  | 'USER_JWT_ALGORITHM'
  | 'USER_JWT_AUDIENCE'
  | 'USER_JWT_JWKS_URL'
  | 'USER_JWT_PUBLIC_KEYS'

/** Returns the name under which a reader knows a setting, for the messages. */
const ownName = (variable: NamedSetting): string => variable

// The rules that involve several settings. Each rule returns the faults, in the form of `Checked.faults`.

/** The audiences of user JWTs and of player tokens differ (D21, D23). */
export function audienceFaults(
  values: {
    readonly USER_JWT_AUDIENCE?: string | undefined
    readonly PLAYER_TOKEN_AUDIENCE: string
  },
  nameOf = ownName,
): string[] {
  if (values.USER_JWT_AUDIENCE !== values.PLAYER_TOKEN_AUDIENCE) return []
  return [`${nameOf('PLAYER_TOKEN_AUDIENCE')} must differ from ${nameOf('USER_JWT_AUDIENCE')}`]
}

/** User JWTs are verified with keys in KMS, with public keys of a login elsewhere, or with its JWK set (D22, D40). */
export function keySourceFaults(values: {
  readonly USER_JWT_KEY_ARNS: readonly string[] | undefined
  readonly USER_JWT_PUBLIC_KEYS: readonly string[] | undefined
  readonly USER_JWT_JWKS_URL: string | undefined
}): string[] {
  const { USER_JWT_KEY_ARNS, USER_JWT_PUBLIC_KEYS, USER_JWT_JWKS_URL } = values
  const sources = [USER_JWT_KEY_ARNS, USER_JWT_PUBLIC_KEYS, USER_JWT_JWKS_URL]
  return sources.filter((source) => source !== undefined).length === 1
    ? []
    : ['exactly one of USER_JWT_KEY_ARNS, USER_JWT_PUBLIC_KEYS and USER_JWT_JWKS_URL must be set']
}

/** A login has its keys in the settings or in a JWK set, not both (D40). */
export function loginFaults(
  values: {
    readonly USER_JWT_PUBLIC_KEYS?: readonly string[] | undefined
    readonly USER_JWT_JWKS_URL?: string | undefined
  },
  nameOf = ownName,
): string[] {
  if (!values.USER_JWT_PUBLIC_KEYS || !values.USER_JWT_JWKS_URL) return []
  return [
    `${nameOf('USER_JWT_PUBLIC_KEYS')} and ${nameOf('USER_JWT_JWKS_URL')} must not both be set`,
  ]
}

/** The public keys of a login fit its algorithm and are not weak (D22, D53). */
export function publicKeyFaults(
  values: {
    readonly USER_JWT_PUBLIC_KEYS?: readonly string[] | undefined
    readonly USER_JWT_ALGORITHM: UserJwtAlgorithm
  },
  nameOf = ownName,
): string[] {
  const { USER_JWT_PUBLIC_KEYS: keys = [], USER_JWT_ALGORITHM: algorithm } = values
  if (keys.every((key) => isPublicKeyFor(algorithm, key))) return []
  const rule = publicKeyRule(algorithm, nameOf('USER_JWT_ALGORITHM'))
  return [`${nameOf('USER_JWT_PUBLIC_KEYS')} ${rule}`]
}

/** What public keys for an algorithm must be, after the name of their setting. `algorithmName` is the setting of the algorithm. */
export function publicKeyRule(algorithm: UserJwtAlgorithm, algorithmName: string): string {
  const rsa =
    keyKinds[algorithm] === 'rsa' ? ' of 2048 to 8192 bits, with an odd exponent over 1' : ''
  return `must be public keys for ${algorithm} (${algorithmName})${rsa}, ${inBase64}`
}

const inBase64 = 'each as the base64 of its DER SubjectPublicKeyInfo'

/** The public keys of player tokens belong to the KMS keys, as far as their number and their kind say (D74). */
export function playerTokenPublicKeyFaults(values: {
  readonly PLAYER_TOKEN_KEY_ARNS: readonly string[]
  readonly PLAYER_TOKEN_PUBLIC_KEYS: readonly string[] | undefined
}): string[] {
  const { PLAYER_TOKEN_KEY_ARNS: arns, PLAYER_TOKEN_PUBLIC_KEYS: keys } = values
  if (!keys) return []
  if (keys.length !== arns.length) {
    return ['PLAYER_TOKEN_PUBLIC_KEYS must have as many keys as PLAYER_TOKEN_KEY_ARNS']
  }
  return keys.every((key) => isPublicKeyFor('ES256', key))
    ? []
    : [`PLAYER_TOKEN_PUBLIC_KEYS must be public keys for ES256, ${inBase64}`]
}

type UserJwtAlgorithm = v.InferOutput<typeof userJwtAlgorithm>

/** The type of key, or its curve, that each algorithm requires (RFC 7518 section 3.1, RFC 8037). */
export const keyKinds: Readonly<Record<string, string>> = {
  ES256: 'prime256v1',
  ES384: 'secp384r1',
  ES512: 'secp521r1',
  RS256: 'rsa',
  RS384: 'rsa',
  RS512: 'rsa',
  PS256: 'rsa',
  PS384: 'rsa',
  PS512: 'rsa',
  EdDSA: 'ed25519',
}

/** The type of a key, or its curve, as in {@link keyKinds}. */
export const kindOf = ({ asymmetricKeyDetails, asymmetricKeyType }: KeyObject) =>
  asymmetricKeyDetails?.namedCurve ?? asymmetricKeyType

/**
 * Whether an RSA key has less than 2,048 or more than 8,192 bits, or an exponent that is even or 1 (D40, D53).
 * RFC 7518 requires 2,048 bits. With the exponent 1, every message is its own signature.
 */
export function isWeakKey({ asymmetricKeyDetails }: KeyObject): boolean {
  const { modulusLength, publicExponent } = asymmetricKeyDetails ?? {}
  if (modulusLength === undefined || publicExponent === undefined) return false
  const isOddExponent = publicExponent >= 3n && publicExponent % 2n === 1n
  return modulusLength < 2048 || modulusLength > 8192 || !isOddExponent
}

/** Whether a text is the base64 of a public key (DER SubjectPublicKeyInfo) for the algorithm, and not weak (D22, D53). */
export function isPublicKeyFor(algorithm: UserJwtAlgorithm, base64: string): boolean {
  try {
    const der = Buffer.from(base64, 'base64')
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    return kindOf(key) === keyKinds[algorithm] && !isWeakKey(key)
  } catch {
    return false
  }
}
