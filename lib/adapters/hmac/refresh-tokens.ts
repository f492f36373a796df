import { timingSafeEqual } from 'node:crypto'
import type { RefreshTokens } from '../../domain/ports/sign-in.ts'
import { tagLength, tagOf } from './tag.ts'

const form = new RegExp(
  `^(0|[1-9]\\d{0,15})\\.([0-9A-Za-z]{22})\\.(0|[1-9]\\d{0,8})\\.([0-9A-Za-z]{${tagLength}})$`,
)

/** Refresh tokens: the user id, the family, the number of the token, and a tag of them. The secret is of sign-in alone. */
export function hmacRefreshTokens(secret: () => Promise<string>): RefreshTokens {
  const tagFor = (...values: (string | number)[]) =>
    tagOf(secret, 'player NFTs refresh token v1', values)

  return {
    async write({ userId, familyId, counter }) {
      return [userId, familyId, counter, await tagFor(userId, familyId, counter)].join('.')
    },
    async read(text) {
      const [, userText, familyId = '', counterText, tag = ''] = form.exec(text) ?? []
      if (userText === undefined) return undefined
      const [userId, counter] = [Number(userText), Number(counterText)]
      const expected = Buffer.from(await tagFor(userId, familyId, counter))
      if (!timingSafeEqual(Buffer.from(tag), expected)) return undefined
      return { userId, familyId, counter }
    },
  }
}
