import { createPublicKey, type KeyObject } from 'node:crypto'

/** A public key that verifies signatures. */
export interface VerificationKey {
  key: KeyObject
  /** The name and the algorithm that the signer publishes for the key, if it publishes any. */
  kid?: string
  alg?: string
}

/** The parts of a JWT's protected header that select its key. */
export interface KeyHint {
  kid?: unknown
  alg: string
}

/** The public keys that verify the signatures of one kind of token. */
export interface VerificationKeys {
  /** The key that signs now. */
  current(): Promise<KeyObject>
  /**
   * Every accepted key, or, with a hint, those that can verify such a JWT: first the cached keys, then the
   * keys that must be read. A key that cannot be read does not prevent the use of the other keys. Its error
   * is thrown at the end.
   */
  accepted(hint?: KeyHint): AsyncIterable<VerificationKey>
}

/** Keys that are known from the start. The first key is the one that signs now. */
export const givenKeys = (keys: readonly [KeyObject, ...KeyObject[]]): VerificationKeys => ({
  current: async () => keys[0],
  async *accepted() {
    for (const key of keys) yield { key }
  },
})

/** The same for keys as settings have them: each as the base64 of its DER SubjectPublicKeyInfo. */
export function givenPublicKeys([first, ...others]: readonly [string, ...string[]]) {
  const keyOf = (base64: string) => publicKeyFromDer(Buffer.from(base64, 'base64'))
  return givenKeys([keyOf(first), ...others.map(keyOf)])
}

/** The public key in a DER SubjectPublicKeyInfo. */
export const publicKeyFromDer = (der: Buffer): KeyObject =>
  createPublicKey({ key: der, format: 'der', type: 'spki' })
