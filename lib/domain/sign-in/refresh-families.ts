import { ServiceUnavailable } from '../failures.ts'
import type { PlayerTokenCounts } from '../ports/players.ts'
import type { RefreshFamilies } from '../ports/refresh-families.ts'
import type { WalletLists } from '../ports/sign-in.ts'
import type { ProductId } from '../product/product.ts'
import { consequenceOf, type RefreshFamily, type RefreshToken } from './refresh-family.ts'
import { isSignedIn } from './signed-in.ts'

export interface FamilyPorts {
  families: RefreshFamilies
  walletLists: Pick<WalletLists, 'get'>
  /** Each use of a refresh token leads to a player token. */
  playerTokenCounts: PlayerTokenCounts
}

/** The most families of a user for one product. */
const maxFamilies = 10

/** The maximum number of attempts to renew a family that other requests renew at the same time. */
const attempts = 4

/**
 * Begins a family. The oldest ones of the user and the product end, so that 10 are left. Returns its first token. `now`: milliseconds
 * since 1970.
 */
export async function beginFamily(
  { userId, familyId, ...begun }: Omit<RefreshFamily, 'counter' | 'renewedAt'>,
  now: number,
  families: RefreshFamilies,
): Promise<RefreshToken> {
  const token = { userId, familyId, counter: 0 }
  await families.add({ ...token, ...begun, renewedAt: now })
  const others = (await families.ofUser(userId)).filter(
    (each) => each.productId === begun.productId,
  )
  const newestFirst = others.toSorted((a, b) => b.beganAt - a.beganAt)
  for (const oldest of newestFirst.slice(maxFamilies)) await families.end(userId, oldest.familyId)
  return token
}

/**
 * Replaces a refresh token by the next one of its family (RFC 6749, section 6). A token that was used before ends its family; only
 * the latest use is answered once more within 10 seconds, with the same token. Returns the family with its latest token;
 * `undefined` if the token is not valid for the product, or if its signature does not sign in any more (D102). `now`: milliseconds
 * since 1970. Throws RateLimited before the token is used.
 */
export async function renewFamily(
  token: RefreshToken,
  productId: ProductId,
  now: number,
  { families, walletLists, playerTokenCounts }: FamilyPorts,
): Promise<RefreshFamily | undefined> {
  const { userId, familyId } = token
  let isCounted = false
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const [family, list] = await Promise.all([
      families.get(userId, familyId),
      walletLists.get(userId),
    ])
    if (!family || !isSignedIn(family, list)) return undefined
    const consequence = consequenceOf(token, productId, family, now)
    if (consequence === 'end') await families.end(userId, familyId)
    if (consequence !== 'next' && consequence !== 'again') return undefined
    // Before the token is used, so that it can be sent again when the limit permits.
    if (!isCounted) await playerTokenCounts.count(userId)
    isCounted = true
    if (consequence === 'again') return family
    if (await families.renew(family, now)) {
      return { ...family, counter: family.counter + 1, renewedAt: now }
    }
  }
  throw new ServiceUnavailable('a refresh token was used over and over')
}
