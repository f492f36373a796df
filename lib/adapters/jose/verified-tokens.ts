/** Tokens that were verified, by their whole text. */
export interface VerifiedTokens<Verified> {
  /** What a token says; `undefined` if it is not known, or has expired. */
  get(token: string): Verified | undefined
  /** Keeps what a token says until it expires, in seconds since 1970. */
  add(token: string, verified: Verified, expiresAt: number): void
}

/**
 * Keeps what verified tokens say, at most `size` of them: those that were used least recently are dropped first. Only for
 * tokens whose accepted keys stay the same as long as the container lives.
 */
export function verifiedTokens<Verified>(size: number): VerifiedTokens<Verified> {
  const known = new Map<string, { verified: Verified; expiresAt: number }>()
  return {
    get(token) {
      const entry = known.get(token)
      known.delete(token)
      // jose accepts a token while the whole second is earlier than `exp`.
      if (!entry || Math.floor(Date.now() / 1000) >= entry.expiresAt) return undefined
      known.set(token, entry)
      return entry.verified
    },
    add(token, verified, expiresAt) {
      known.set(token, { verified, expiresAt })
      const [oldest] = known.keys()
      if (known.size > size && oldest !== undefined) known.delete(oldest)
    },
  }
}
