import { ServiceUnavailable } from '../failures.ts'
import type { RefreshFamilies, SignInPorts } from '../ports/sign-in.ts'
import type { ProductId } from '../product/product.ts'
import {
  endOf,
  type RefreshFamily,
  type RefreshToken,
  repeatMilliseconds,
} from './refresh-family.ts'
import { isSignedIn } from './signed-in.ts'

export type FamilyPorts = Pick<
  SignInPorts,
  'families' | 'walletLists' | 'playerTokenCounts' | 'playerTokenMint'
>

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
  families: RefreshFamilies,
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

export interface RenewedFamily {
  family: RefreshFamily
  playerToken: string
}

/**
 * Replaces a refresh token by the next one of its family (RFC 6749, section 6). A token that was used before ends its family; only
 * the latest use is answered once more within a minute, with the same token. `undefined` if the token is not valid for the
 * product, or if its signature does not sign in any more (D102). `now`: milliseconds since 1970. Throws RateLimited and
 * ServiceUnavailable before the token is used: it can be sent again.
 */
export async function renewFamily(
  token: RefreshToken,
  productId: ProductId,
  now: number,
  ports: FamilyPorts,
): Promise<RenewedFamily | undefined> {
  let playerToken: string | undefined
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const use = await useOf(token, productId, now, ports)
    if (!use) return undefined
    const { family, isRepeated } = use
    if (attempt === 0) {
      await ports.playerTokenCounts.count(token.userId)
      playerToken = await mintPlayerToken(family, now, ports)
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
 * What a token is of use for: to renew its family, or to get the latest token again. `undefined`: for nothing. Ends a family whose token
 * was used before, because two may have it (RFC 9700, section 4.14.2).
 */
async function useOf(
  { userId, familyId, counter }: RefreshToken,
  productId: ProductId,
  now: number,
  { families, walletLists }: FamilyPorts,
): Promise<{ family: RefreshFamily; isRepeated: boolean } | undefined> {
  const [family, list] = await Promise.all([
    families.get(userId, familyId),
    walletLists.get(userId),
  ])
  if (!family || !isSignedIn(family, list) || now >= endOf(family)) return undefined
  if (family.productId !== productId || counter > family.counter) return undefined
  if (counter === family.counter) return { family, isRepeated: false }
  const isLatestUse = counter === family.counter - 1
  if (isLatestUse && now < family.renewedAt + repeatMilliseconds)
    return { family, isRepeated: true }
  await families.end(userId, familyId)
  return undefined
}

/**
 * Mints a player token for the game of a family (D103). `undefined` if its signature does not sign in any more. The token is of
 * a second after the latest sign-out, so that it is valid. `now`: milliseconds since 1970. Throws ServiceUnavailable.
 */
export async function mintPlayerToken(
  family: Pick<RefreshFamily, 'userId' | 'productId' | 'wallet' | 'beganAt'>,
  now: number,
  ports: Pick<SignInPorts, 'playerTokenMint' | 'walletLists'>,
): Promise<string | undefined> {
  const { userId, productId } = family
  // The token is dated before the list is read: a sign-out that this read does not see is not before the token.
  const minting = ports.playerTokenMint.mint(userId, productId)
  const [token, list] = await Promise.all([minting, ports.walletLists.get(userId)])
  if (!isSignedIn(family, list)) return undefined
  const { signedOutAt = Number.NEGATIVE_INFINITY } = list
  if (secondOf(now) <= secondOf(signedOutAt)) {
    throw new ServiceUnavailable('the user has signed out in this second', 1)
  }
  return token
}

const secondOf = (milliseconds: number) => Math.floor(milliseconds / 1_000)
