import type { ProductId } from '../product/product.ts'
import type { PollError } from './failures.ts'
import { repeatMilliseconds } from './refresh-family.ts'
import type { Session } from './session.ts'

/** A game that asks for access, and a user who permits it in a browser (RFC 8628). */
export interface DeviceGrant {
  /** Eight letters that the game shows, and the user types. */
  userCode: string
  /** The secret of the game, which contains the user code. The table has its digest alone. */
  deviceCode: string
  productId: ProductId
  /** The family of refresh tokens that the game gets. */
  familyId: string
  /** When the game has asked, in milliseconds since 1970. */
  askedAt: number
  /** The network of the game that has asked (D54), if it is known (D131). */
  askedFrom?: string | undefined
}

/** What a user has decided who gives access in a session. */
export interface Approval extends Session {
  kind: 'approved'
}

/** What a user has decided. */
export type DeviceDecision = Approval | { kind: 'denied' }

export type StoredGrant = Omit<DeviceGrant, 'deviceCode'> & {
  /** When the latest poll was noted, in milliseconds since 1970; 0 if none was. */
  polledAt: number
  decision?: DeviceDecision
  /** When the game got its first token, in milliseconds since 1970. */
  usedAt?: number
}

/** How long both codes are valid, in seconds (`expires_in`). */
export const deviceCodeLifetimeSeconds = 600

/** The time between two polls that games are told, in seconds (`interval`). */
export const pollIntervalSeconds = 5

/** How much sooner a poll can come, in milliseconds: one that comes on time is too early if the one before was late (D101). */
const pollToleranceMilliseconds = 1_000

/** A poll that comes so soon after a noted one gets its answer, in milliseconds: clients that try two ways to name themselves send it (D141). */
const repeatedPollMilliseconds = 1_000

/** Whether the codes of a grant are not valid any more. `now`: milliseconds since 1970. */
export const hasExpired = ({ askedAt }: Pick<DeviceGrant, 'askedAt'>, now: number): boolean =>
  now >= askedAt + deviceCodeLifetimeSeconds * 1_000

/**
 * Judges a poll: the approval, absent while the user has not decided, or why the poll is not noted (D129). `isRepeated`: it gets the
 * answer of the poll that was noted just before, and is not noted either. `now`: milliseconds since 1970.
 */
export function judgePoll(
  grant: StoredGrant,
  productId: ProductId,
  now: number,
): { error: PollError } | { approval?: Approval; isRepeated: boolean } {
  const { decision, usedAt, polledAt } = grant
  if (grant.productId !== productId) return { error: 'invalid_grant' }
  if (hasExpired(grant, now)) return { error: 'expired_token' }
  if (usedAt !== undefined && now >= usedAt + repeatMilliseconds) return { error: 'invalid_grant' }
  if (decision?.kind === 'denied') return { error: 'access_denied' }
  const isRepeated = now < polledAt + repeatedPollMilliseconds
  if (isRepeated && !decision) return { error: 'authorization_pending' }
  const nextAt = polledAt + pollIntervalSeconds * 1_000 - pollToleranceMilliseconds
  if (!isRepeated && now < nextAt) return { error: 'slow_down' }
  return { isRepeated, ...(decision && { approval: decision }) }
}

/** The letters of user codes: no vowels, so that no code is a word, and no letters that look alike (RFC 8628, section 6.1). */
export const userCodeLetters = 'BCDFGHJKLMNPQRSTVWXZ'

/** The number of letters of a user code: 34 bits. */
export const userCodeLength = 8

const form = new RegExp(`^[${userCodeLetters}]{${userCodeLength}}$`)

/** Reads a user code in any case, with spaces and dashes anywhere, as its eight letters; else `undefined`. */
export function parseUserCode(text: string): string | undefined {
  const letters = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return form.test(letters) ? letters : undefined
}

/** A user code as it is shown: `BCDF-GHJK`. */
export const userCodeText = (userCode: string): string =>
  `${userCode.slice(0, 4)}-${userCode.slice(4)}`
