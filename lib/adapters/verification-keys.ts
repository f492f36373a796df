import type { KeyObject } from 'node:crypto'

/** The public keys that the signatures of one kind of token are verified with. */
export interface VerificationKeys {
  /** The key that signs now. */
  current(): Promise<KeyObject>
  /**
   * Every accepted key, those at hand before those that must be read. A key that cannot be read keeps
   * none of the others back: that it is missing is thrown at the end.
   */
  accepted(): AsyncIterable<KeyObject>
}

/** Keys that need not be read, the one that signs now first. */
export const givenKeys = (keys: readonly [KeyObject, ...KeyObject[]]): VerificationKeys => ({
  current: async () => keys[0],
  async *accepted() {
    yield* keys
  },
})
