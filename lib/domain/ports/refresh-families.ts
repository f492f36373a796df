import type { RefreshFamily, RefreshToken } from '../sign-in/refresh-family.ts'

export interface RefreshTokens {
  /** The text of a token, always the same. */
  write(token: RefreshToken): Promise<string>
  /** The token of a text; `undefined` if this deployment has not written it. */
  read(text: string): Promise<RefreshToken | undefined>
}

/** The families of refresh tokens that are stored (D99). */
export interface RefreshFamilies {
  /** Stores a new family. Safe to repeat: a family that is stored stays as it is. */
  add(family: RefreshFamily): Promise<void>
  get(userId: number, familyId: string): Promise<RefreshFamily | undefined>
  ofUser(userId: number): Promise<readonly RefreshFamily[]>
  /**
   * Raises the counter by one. `now`: milliseconds since 1970. False, without a change: it was raised since, or the
   * family has ended.
   */
  renew(family: RefreshFamily, now: number): Promise<boolean>
  /** Gives a family this wallet and this beginning. Returns false if it has ended. Safe to repeat. */
  redate(
    family: Pick<RefreshFamily, 'userId' | 'familyId' | 'wallet' | 'beganAt'>,
  ): Promise<boolean>
  /** Ends a family. Safe to repeat. */
  end(userId: number, familyId: string): Promise<void>
}
