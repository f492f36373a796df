import type { Limit } from '../limit/limit.ts'
import type { Player } from '../player/player.ts'
import type { ProductId } from '../product/product.ts'

/** The players, as their latest user JWT describes them (D23). */
export interface Players {
  /**
   * Stores the player unless the stored player is from a later user JWT, and counts a player token against
   * the limit, if there is one (D47). `issuedAt`: when the user JWT was issued, seconds since 1970. Throws
   * RateLimited, and InvalidUserJwt if the player was forgotten since (D48); nothing is stored then.
   */
  record(player: Player, issuedAt: number, limit?: Limit | undefined): Promise<void>
  /**
   * The player of a verified player token; `undefined` if nobody is stored, or if the player was forgotten
   * after the token was issued (D48). With limits, the request is judged by the player's counters and counted
   * against them (D47): throws RateLimited.
   */
  get(token: VerifiedPlayerToken, limits?: readonly Limit[]): Promise<Player | undefined>
}

/** Counts the player tokens of users who sign in with a wallet, as `Players.record` does for a user JWT (D47). */
export interface PlayerTokenCounts {
  /** Counts a player token of a user who is stored. Throws RateLimited. */
  count(userId: number): Promise<void>
}

/** Makes player tokens (D23). */
export interface PlayerTokenMint {
  /** A player token of the second of the call, or of a later one. With a product, it is for its game only (D52). */
  mint(userId: number, productId?: ProductId): Promise<string>
}

export interface VerifiedPlayerToken {
  userId: number
  /** When the player token was issued, seconds since 1970. */
  issuedAt: number
  /** The product of the game that the player token is for; absent if it is for every game (D52). */
  productId?: ProductId
}

/** Verifies player tokens; throws InvalidPlayerToken or PlayerTokenExpired (D23). */
export interface PlayerTokens {
  verify(playerToken: string): Promise<VerifiedPlayerToken>
}

/** Deletes what is stored about players (D48). */
export interface ForgottenPlayers {
  /**
   * Deletes a player and everything else about the user id, also the balances of the player's wallets that are kept
   * (D156), and leaves a tombstone with the id and the time. What is kept of the holders of NFTs stays: it is public data of the
   * chain without a user id. The player's wallets begin as somebody new (D98). Safe to repeat: after a crash between two writes, a repeat deletes the rest. Returns whether a player was stored.
   */
  forget(userId: number): Promise<boolean>
  /** The same, unless the player has a wallet: then nothing is changed. */
  forgetWithoutWallets(userId: number): Promise<boolean>
}

/** The user that a verified user JWT is about (D21). */
export interface UserIdentity extends Omit<Player, 'userId'> {
  /** The issuer, or the name that stands for it (D90), and the claim that identifies the user there, as text (D40). */
  issuer: string
  subject: string
  /** When the user JWT was issued, seconds since 1970. */
  issuedAt: number
}

/** The user ids of the platform's users (D41). */
export interface UserIds {
  /** The user id of a subject of an issuer: always the same, and never that of another subject. */
  idOf(user: Pick<UserIdentity, 'issuer' | 'subject'>): Promise<number>
  /** The same; `undefined` if none is assigned yet. */
  knownIdOf(user: Pick<UserIdentity, 'issuer' | 'subject'>): Promise<number | undefined>
}

/** Verifies the platform's user JWTs; throws InvalidUserJwt (D21). */
export interface UserJwts {
  verify(userJwt: string): Promise<UserIdentity>
}
