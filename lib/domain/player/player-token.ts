import { unverified } from '../../json/unverified.ts'
import { InvalidPlayerToken } from '../credential-failures.ts'
import type { VerifiedPlayerToken } from '../ports/players.ts'
import type { ProductId } from '../product/product.ts'

/** What the header of a JWT says, which is not verified; nothing for a text that is not a JWT. */
function headerOf(text: string): { typ?: unknown; alg?: unknown; kid?: unknown } {
  const [, header = ''] = /^([\w-]+)\.[\w-]+\.[\w-]*$/.exec(text) ?? []
  try {
    return unverified(JSON.parse(Buffer.from(header, 'base64url').toString()))
  } catch {
    return {}
  }
}

/** The kind of token that a JWT claims to be by its header `typ` (D23, D142). `undefined` for a text that is no JWT. */
export function jwtKind(text: string): 'player_token' | 'other_jwt' | undefined {
  const { typ, alg } = headerOf(text)
  if (typeof alg !== 'string') return undefined
  return /^(application\/)?player\+jwt$/i.test(String(typ)) ? 'player_token' : 'other_jwt'
}

/**
 * The claimed key of a JWT, for the log line of its refusal: `other` unless it has 1 to 64 letters, digits, `.`, `-`,
 * `_` (D80).
 */
export function claimedKeyName(jwt: string): string {
  const { kid } = headerOf(jwt)
  return typeof kid === 'string' && /^[\w.-]{1,64}$/.test(kid) ? kid : 'other'
}

/** Whether a player token must be for the game of one product (D52). */
export type PlayerTokenProductRule = 'optional' | 'required'

/** Throws InvalidPlayerToken unless a token is for this product or, if the deployment permits it, every game (D52). */
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
