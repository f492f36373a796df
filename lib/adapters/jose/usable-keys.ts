import { createPublicKey, type KeyObject } from 'node:crypto'
import { unverified } from '../../json/unverified.ts'
import { isWeakKey, keyKinds, kindOf } from '../../settings/rules.ts'
import type { VerificationKey } from '../verification-keys.ts'
import { UnreadableKeySet } from './key-set-request.ts'

const maxKeys = 100

/** A usable key with its names. Its `alg` is the first of its algorithms. */
export interface UsableKey extends VerificationKey {
  /** The accepted algorithms whose signatures it can verify: only its own, if the login publishes one. */
  readonly algorithms: readonly string[]
}

/**
 * The keys of a key set that can verify signatures with one of the algorithms. Omits other keys: for encryption,
 * symmetric, malformed, for other algorithms, published with their private part, and weak keys, with which anybody
 * could sign. Throws UnreadableKeySet if the document is not a key set or has no usable key (D40).
 */
export function usableKeys(document: unknown, accepted: readonly string[]): UsableKey[] {
  const { keys } = unverified(document)
  if (!Array.isArray(keys)) throw new UnreadableKeySet('not a key set')
  if (keys.length > maxKeys) throw new UnreadableKeySet(`over ${maxKeys} keys`)
  const usable = keys.flatMap((jwk: unknown) => usableKey(jwk, accepted) ?? [])
  if (usable.length === 0) throw new UnreadableKeySet('no usable key')
  return usable
}

function usableKey(jwk: unknown, accepted: readonly string[]): UsableKey | undefined {
  const { use, key_ops: operations, kid, alg: own, ...members } = unverified(jwk)
  const isForSignatures =
    (use === undefined || use === 'sig') &&
    (operations === undefined || (Array.isArray(operations) && operations.includes('verify')))
  if (!isForSignatures || 'd' in members) return undefined
  const key = publicKeyOf(members)
  if (!key || isWeakKey(key)) return undefined
  const fitting = accepted.filter((each) => keyKinds[each] === kindOf(key))
  const algorithms = own === undefined ? fitting : fitting.filter((each) => each === own)
  const [alg] = algorithms
  if (alg === undefined) return undefined
  return { key, alg, algorithms, ...(typeof kid === 'string' && { kid }) }
}

function publicKeyOf(jwk: Record<string, unknown>): KeyObject | undefined {
  // createPublicKey accepts only public members, and rejects points that are not on their curve.
  try {
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    return undefined
  }
}
