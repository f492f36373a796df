import type { KeyObject } from 'node:crypto'

/** The public keys that verify the signatures of one kind of token. */
export interface VerificationKeys {
  /** The key that signs now. */
  current(): Promise<KeyObject>
  /**
   * Every accepted key: first the cached keys, then the keys that must be read. A key that cannot be
   * read does not prevent the use of the other keys. Its error is thrown at the end.
   */
  accepted(): AsyncIterable<KeyObject>
}

/** Keys that are known from the start. The first key is the one that signs now. */
export const givenKeys = (keys: readonly [KeyObject, ...KeyObject[]]): VerificationKeys => ({
  current: async () => keys[0],
  async *accepted() {
    yield* keys
  },
})
