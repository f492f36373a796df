import type { Product } from '../product/product.ts'
import type { StoredProduct } from '../product/stored-product.ts'

/** The product, if players can sign in to its game now: it permits that, as its operator does, and is neither stopped nor deleted. */
export const productWithSignIn = (
  stored: StoredProduct | undefined,
  rule: SignInRule,
): StoredProduct | undefined =>
  stored && isInUse(stored) && signInState(stored, rule) === 'ON' ? stored : undefined

/**
 * Whether the game gets tokens of players who have signed in before: also while the operator has not permitted a new
 * name (D115).
 */
export const keepsPlayers = (stored: StoredProduct | undefined, rule: SignInRule): boolean =>
  stored?.product.signIn === true &&
  isInUse(stored) &&
  (!rule.needsOperator || stored.signInPermit !== undefined)

const isInUse = ({ stoppedAt, endedAt }: StoredProduct): boolean =>
  stoppedAt === undefined && endedAt === undefined

/** The hosts at which a game lets players sign in: never that of the page of the deployment, whose messages are for all games. */
export const gameDomains = ({ product }: StoredProduct, page: string): readonly string[] =>
  (product.signInDomains ?? []).filter((domain) => domain !== page)

/** The most hosts of a product. */
export const maxSignInDomains = 10

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const lastLabel = '[a-z]([a-z0-9-]{0,61}[a-z0-9])?'
const form = new RegExp(`^(localhost|(${label}\\.)+${lastLabel})(:[1-9]\\d{0,4})?$`, 'i')

/** The most characters of a host name (RFC 1035, section 2.3.4) and its port. */
const maxLength = 259

/**
 * Reads a host at which a game lets players sign in: a name with a dot, or `localhost`, and a port if it is not 443. Returns it as
 * browsers write it (`location.host`); `undefined` for anything else, such as a URL or an address. Letters beyond ASCII are
 * written in Punycode (RFC 3492), as wallets show them.
 */
export function parseSignInDomain(text: string): string | undefined {
  const isHost = text.length <= maxLength && form.test(text)
  return isHost ? URL.parse(`https://${text}`)?.host : undefined
}

/** The rule of a deployment: whether its operator permits each product that signs players in (D115). */
export interface SignInRule {
  needsOperator: boolean
}

/**
 * What an operator permits, as text: the names and hosts of a game that players see. A change of them is not permitted
 * (D115).
 */
export const permitOf = ({ name, companyName, signInDomains = [] }: Product): string =>
  JSON.stringify([name, companyName, signInDomains])

/** Whether players can sign in to a game (D106), or wait until the operator permits it (D115); `undefined` without `signIn`. */
export function signInState(
  { product, signInPermit }: Pick<StoredProduct, 'product' | 'signInPermit'>,
  { needsOperator }: SignInRule,
): 'ON' | 'WAITING' | undefined {
  if (product.signIn !== true) return undefined
  return !needsOperator || signInPermit === permitOf(product) ? 'ON' : 'WAITING'
}
