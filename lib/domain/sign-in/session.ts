import type { Address } from '../nft/address.ts'

/** A user who is signed in on the page of the deployment (D100). */
export interface Session {
  userId: number
  /** The wallet that has signed. */
  wallet: Address
  /** The moment of the signature, in milliseconds since 1970. */
  beganAt: number
}

/** How long a session is valid, in milliseconds: an hour. */
export const sessionLifetimeMilliseconds = 3_600_000
