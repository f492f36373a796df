import type { Wallet } from '../nft/wallet.ts'

/** The most wallets of a user (D21). */
export const maxWallets = 20

/** A user of the platform, as the user JWT names them (D21). */
export interface Player {
  /** A decimal integer from 0 to 2^53-1. */
  userId: number
  /** 1..100 code points. */
  username: string
  /** 0..20 addresses, each once on a chain. */
  wallets: Wallet[]
}

/** The decimal notation of a user id, without a sign, a leading zero or anything around it. */
const decimal = /^(0|[1-9][0-9]{0,15})$/

/** Reads a user id from its decimal notation. `undefined` for any other text, and above 2^53-1 (D21, D53). */
export function parseUserId(text: string): number | undefined {
  const userId = decimal.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(userId) ? userId : undefined
}

/** How long a player token is valid, in seconds (specification 2.5, 8; D23). */
export const playerTokenLifetimeSeconds = 86_400

/** The largest integer that is assigned as a user id: clients may hold a user id in 32 bits (D41). */
export const maxAssignedUserId = 2 ** 31 - 1
