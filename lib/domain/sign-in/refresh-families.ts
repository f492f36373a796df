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
  playerTokenCounts: PlayerTokenCounts
}

const maxFamilies = 10

/** The maximum number of attempts to renew a family that other requests renew at the same time. */
const attempts = 4

/**
 * Begins a family. Of the others of the user and the product, those end that were not used for longest, so that 10 are left. Returns
 * its first token. Safe to repeat. `now`: milliseconds since 1970.
 */
export async function beginFamily(
  { userId, familyId, ...begun }: Omit<RefreshFamily, 'counter' | 'renewedAt'>,
  now: number,
  families: Pick<RefreshFamilies, 'add' | 'ofUser' | 'end'>,
): Promise<RefreshToken> {
  const token = { userId, familyId, counter: 0 }
  await families.add({ ...token, ...begun, renewedAt: now })
  const others = (await families.ofUser(userId)).filter(
    (each) => each.productId === begun.productId && each.familyId !== familyId,
  )
  const latestFirst = others.toSorted((a, b) => b.renewedAt - a.renewedAt)
  for (const unused of latestFirst.slice(maxFamilies - 1)) {
    await families.end(userId, unused.familyId)
  }
  return token
}

/** Mints the player token of a family; `undefined` if its signature does not sign in any more. */
export type Mint = (family: RefreshFamily) => Promise<string | undefined>

export interface RenewedFamily {
  family: RefreshFamily
  playerToken: string
}

/**
 * Replaces a refresh token by the next one of its family (RFC 6749, section 6). A token that was used before ends its family; only
 * the latest use is answered once more within a minute, with the same token. `undefined` if the token is not valid for the
 * product, or if its signature does not sign in any more (D102). `now`: milliseconds since 1970. Throws RateLimited, and what
 * `mint` throws, before the token is used: it can be sent again.
 */
export async function renewFamily(
  token: RefreshToken,
  productId: ProductId,
  now: number,
  ports: FamilyPorts,
  mint: Mint,
): Promise<RenewedFamily | undefined> {
  let playerToken: string | undefined
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const use = await useOf(token, productId, now, ports)
    if (!use) return undefined
    const { family, isRepeated } = use
    if (attempt === 0) {
      await ports.playerTokenCounts.count(token.userId)
      playerToken = await mint(family)
    }
    if (playerToken === undefined) return undefined
    if (isRepeated) return { family, playerToken }
    if (await ports.families.renew(family, now)) {
      const renewed = { ...family, counter: family.counter + 1, renewedAt: now }
      return { family: renewed, playerToken }
    }
  }
  throw new ServiceUnavailable('a refresh token was used over and over')
}

/**
 * What a token is of use for: to renew its family, or to get the latest token again. `undefined`: for nothing. Ends a
 * family whose token was used before.
 */
async function useOf(
  token: RefreshToken,
  productId: ProductId,
  now: number,
  { families, walletLists }: Pick<FamilyPorts, 'families' | 'walletLists'>,
): Promise<{ family: RefreshFamily; isRepeated: boolean } | undefined> {
  const { userId, familyId } = token
  const [family, list] = await Promise.all([
    families.get(userId, familyId),
    walletLists.get(userId),
  ])
  if (!family || !isSignedIn(family, list)) return undefined
  const consequence = consequenceOf(token, productId, family, now)
  if (consequence === 'end') await families.end(userId, familyId)
  if (consequence !== 'next' && consequence !== 'again') return undefined
  return { family, isRepeated: consequence === 'again' }
}
