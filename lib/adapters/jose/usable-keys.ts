import { createPublicKey, type KeyObject } from 'node:crypto'
import type { JSONWebKeySet, JWK } from 'jose'
import { unverified } from '../../json/unverified.ts'
import { isWeakKey, keyKinds, kindOf } from '../../settings/rules.ts'
import type { VerificationKey } from '../verification-keys.ts'
import { UnreadableKeySet } from './key-set-request.ts'

const maxKeys = 100

/**
 * The keys of a key set that can verify signatures with one of the algorithms, reduced to the members that
 * this needs. Omits other keys: for encryption, symmetric, malformed, for other algorithms, published with
 * their private part, and weak keys, with which anybody could sign. Throws UnreadableKeySet if the document
 * is not a key set or has no usable key (D40).
 */
export function usableKeys(document: unknown, algorithms: readonly string[]): JSONWebKeySet {
  const { keys } = unverified(document)
  if (!Array.isArray(keys)) throw new UnreadableKeySet('not a key set')
  if (keys.length > maxKeys) throw new UnreadableKeySet(`over ${maxKeys} keys`)
  const usable = keys.flatMap((jwk: unknown) => usableKey(jwk, algorithms) ?? [])
  if (usable.length === 0) throw new UnreadableKeySet('no usable key')
  return { keys: usable }
}

/** A usable key with its names. A key without `alg` gets the first algorithm that fits it. */
export function publishedKey(jwk: JWK, algorithms: readonly string[]): VerificationKey {
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
  const [fitting = ''] = algorithms.filter((each) => keyKinds[each] === kindOf(key))
  return { key, ...(jwk.kid !== undefined && { kid: jwk.kid }), alg: jwk.alg ?? fitting }
}

function usableKey(jwk: unknown, algorithms: readonly string[]): JWK | undefined {
  if (typeof jwk !== 'object' || jwk === null) return undefined
  const { use, key_ops: operations, kid, alg, ...members } = unverified(jwk)
  const isForSignatures =
    (use === undefined || use === 'sig') &&
    (operations === undefined || (Array.isArray(operations) && operations.includes('verify')))
  if (!isForSignatures || 'd' in members) return undefined
  const key = publicKeyOf(members)
  const fitting = algorithms.filter((each) => key && keyKinds[each] === kindOf(key))
  const isFitting = alg === undefined ? fitting.length > 0 : fitting.some((each) => each === alg)
  if (!key || isWeakKey(key) || !isFitting) return undefined
  const { kty = '', ...others } = key.export({ format: 'jwk' })
  return {
    ...{ kty, ...others },
    ...(typeof kid === 'string' && { kid }),
    ...(typeof alg === 'string' && { alg }),
    use: 'sig',
  }
}

function publicKeyOf(jwk: Record<string, unknown>): KeyObject | undefined {
  // createPublicKey accepts only public members, and rejects points that are not on their curve.
  try {
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    return undefined
  }
}
