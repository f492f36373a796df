import type { SignInPorts } from '../ports/sign-in.ts'
import type { ProductId } from '../product/product.ts'
import { endOf } from './refresh-family.ts'
import { isSignedIn } from './signed-in.ts'

/**
 * The games that can get player tokens of a user with a refresh token, the latest first. `product` is absent once it is deleted.
 * `now` and `until`: milliseconds since 1970.
 */
export async function gamesWithAccess(
  userId: number,
  now: number,
  ports: Pick<SignInPorts, 'families' | 'walletLists' | 'productAccess'>,
) {
  const { families, walletLists, productAccess } = ports
  const [begun, list] = await Promise.all([families.ofUser(userId), walletLists.get(userId)])
  const valid = begun.filter((family) => now < endOf(family) && isSignedIn(family, list))
  const byProduct = Map.groupBy(valid, ({ productId }) => productId)
  const games = [...byProduct].map(async ([productId, ofProduct]) => ({
    ...{ productId, product: await productAccess.get(productId) },
    until: Math.max(...ofProduct.map(endOf)),
  }))
  return (await Promise.all(games)).toSorted((a, b) => b.until - a.until)
}

/** Ends the access of one game. Player tokens that it has stay valid until they expire. Safe to repeat. */
export async function endAccess(
  userId: number,
  productId: ProductId,
  { families }: Pick<SignInPorts, 'families'>,
): Promise<void> {
  const ofProduct = (await families.ofUser(userId)).filter((each) => each.productId === productId)
  await Promise.all(ofProduct.map(({ familyId }) => families.end(userId, familyId)))
}
