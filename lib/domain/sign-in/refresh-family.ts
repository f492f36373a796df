import type { ProductId } from '../product/product.ts'
import type { Session } from './session.ts'

/** A refresh token: the member of a family with this number. */
export interface RefreshToken {
  userId: number
  familyId: string
  counter: number
}

/** The refresh tokens that follow from one signature of a wallet for one product. Each replaces the one before (D99). */
export interface RefreshFamily extends RefreshToken, Session {
  productId: ProductId
  /** The moment at which the latest token was given out, in milliseconds since 1970. */
  renewedAt: number
}

/** The lifetime of a family, however often it is used, in milliseconds: 30 days. */
const familyLifetimeMilliseconds = 30 * 24 * 3_600_000

/** The moment from which no token of a family is valid, in milliseconds since 1970. */
export const endOf = ({ beganAt }: Pick<RefreshFamily, 'beganAt'>): number =>
  beganAt + familyLifetimeMilliseconds

/**
 * The time in which a token, or a device code, that was just used is answered once more, in milliseconds: the game may not have
 * received the answer. Longer than the time-outs of API Gateway, 30 seconds, and of the typed client, 35 seconds.
 */
export const repeatMilliseconds = 60_000
