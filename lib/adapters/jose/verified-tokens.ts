import { recentlyUsed } from '../recently-used.ts'

/** Tokens that were verified, by their whole text. */
export interface VerifiedTokens<Verified> {
  /** What a token says; `undefined` if it is not known, or has expired. */
  get(token: string): Verified | undefined
  /** Keeps what a token says until it expires, in seconds since 1970. */
  add(token: string, verified: Verified, expiresAt: number): void
}

/**
 * Keeps what verified tokens say, at most `size` of them. Only for tokens whose accepted keys stay the same as long as the
 * container lives.
 */
export function verifiedTokens<Verified>(size: number): VerifiedTokens<Verified> {
  const known = recentlyUsed<string, { verified: Verified; expiresAt: number }>(size)
  return {
    get(token) {
      const entry = known.get(token)
      // jose accepts a token while the whole second is earlier than `exp`.
      const isValid = entry && Math.floor(Date.now() / 1000) < entry.expiresAt
      if (isValid) return entry.verified
      known.delete(token)
      return undefined
    },
    add: (token, verified, expiresAt) => known.set(token, { verified, expiresAt }),
  }
}
