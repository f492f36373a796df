import { type Key, limits } from './key.ts'

export const playerKey = (userId: number): Key => ({ pk: `PLAYER#${userId}`, sk: 'PROFILE' })

const familyPrefix = 'FAMILY#'

/** A family of refresh tokens, in the partition of the player (D99). */
export const familyKey = (userId: number, familyId: string): Key => ({
  pk: playerKey(userId).pk,
  sk: `${familyPrefix}${familyId}`,
})

/** All families of refresh tokens of a player. */
export const familiesOf = (userId: number) => ({ pk: playerKey(userId).pk, prefix: familyPrefix })

const sessionPrefix = 'SESSION#'

/** A session, in the partition of the player (D100). */
export const sessionKey = (userId: number, digest: string): Key => ({
  pk: playerKey(userId).pk,
  sk: `${sessionPrefix}${digest}`,
})

export const sessionsOf = (userId: number) => ({ pk: playerKey(userId).pk, prefix: sessionPrefix })

/** The counters of a player's limits (D47). */
export const playerLimitsKey = (userId: number): Key => ({ pk: playerKey(userId).pk, sk: limits })

/** The subject to whom a user id is assigned, in the partition of the player (D41). */
export const subjectKey = (userId: number): Key => ({ pk: playerKey(userId).pk, sk: 'SUBJECT' })
