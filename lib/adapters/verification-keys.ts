import type { KeyObject } from 'node:crypto'

/** The public keys that the signatures of one kind of token are verified with, the one in use first. */
export type VerificationKeys = () => Promise<KeyObject[]>
