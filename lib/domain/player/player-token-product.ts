import { InvalidPlayerToken } from '../credential-failures.ts'
import type { VerifiedPlayerToken } from '../ports/players.ts'
import type { ProductId } from '../product/product.ts'

/** Whether a player token must be for the game of one product (D52). */
export type PlayerTokenProductRule = 'optional' | 'required'

/**
 * Checks that a game may use a player token: the token is for this product or, unless the deployment
 * requires a product, for every game. Throws InvalidPlayerToken (D52).
 */
export function checkPlayerTokenProduct(
  { productId }: Pick<VerifiedPlayerToken, 'productId'>,
  productOfGame: ProductId,
  rule: PlayerTokenProductRule,
): void {
  if (productId === undefined && rule === 'required') throw new InvalidPlayerToken('no_game')
  if (productId !== undefined && productId !== productOfGame) {
    throw new InvalidPlayerToken('other_game')
  }
}
