import { checksumAddress } from '../nft/address.ts'
import { addressOf, type Wallet } from '../nft/wallet.ts'

/** A user who is signed in on the page of the deployment (D100). */
export interface Session {
  userId: number
  /** The wallet that has signed. */
  wallet: Wallet
  /** The moment of the signature, in milliseconds since 1970. */
  beganAt: number
}

/** How long a session is valid, in milliseconds: an hour. */
export const sessionLifetimeMilliseconds = 3_600_000

/** The username of a new user: `0x1234…abcd`. */
export function firstUsername(wallet: Wallet): string {
  const text = checksumAddress(addressOf(wallet))
  return `${text.slice(0, 6)}…${text.slice(-4)}`
}

/** Whether a user still has the first username. */
export const isUnnamed = (username: string): boolean => /^0x[\da-f]{4}…[\da-f]{4}$/i.test(username)

/** The issuer of people who sign in with a wallet. No login may have its name (D90). */
export const walletIssuer = 'wallet'
