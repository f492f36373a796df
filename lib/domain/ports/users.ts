import type { Player } from '../player/player.ts'

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
}

/** The user ids that are assigned already. */
export interface KnownUserIds {
  /** The user id of a subject of an issuer; `undefined` if it has none yet. */
  knownIdOf(user: Pick<UserIdentity, 'issuer' | 'subject'>): Promise<number | undefined>
}

/** Verifies the platform's user JWTs; throws InvalidUserJwt (D21). */
export interface UserJwts {
  verify(userJwt: string): Promise<UserIdentity>
}
