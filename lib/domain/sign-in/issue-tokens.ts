import type { PlayerTokenMint } from '../ports/players.ts'
import type { ProductAccess } from '../ports/product-keys.ts'
import type { RefreshTokens } from '../ports/refresh-families.ts'
import type { ProductId } from '../product/product.ts'
import { type PollPorts, pollGrant } from './device-grants.ts'
import { mintPlayerToken } from './mint-player-token.ts'
import type { PollError } from './poll-error.ts'
import { keepsPlayers } from './product-sign-in.ts'
import { type FamilyPorts, type Mint, type RenewedFamily, renewFamily } from './refresh-families.ts'
import type { SignInRule } from './sign-in-permit.ts'

/** What a game gets: a player token, and the refresh token for the next one. */
export interface IssuedTokens {
  playerToken: string
  refreshToken: string
}

/** Why a game gets none: an error of OAuth (RFC 6749, section 5.2; RFC 8628, section 3.5). */
export type TokenError = PollError | 'invalid_client'

export interface IssuePorts extends FamilyPorts {
  refreshTokens: Pick<RefreshTokens, 'read' | 'write'>
  playerTokenMint: PlayerTokenMint
  productAccess: Pick<ProductAccess, 'get'>
  signInRule: SignInRule
}

/**
 * Replaces a refresh token by a player token and the next refresh token (D99, D103). The same text can be sent again after a
 * failure. `now`: milliseconds since 1970. Throws RateLimited.
 */
export async function refreshTokens(
  text: string,
  productId: ProductId,
  now: number,
  ports: IssuePorts,
): Promise<IssuedTokens | { error: TokenError }> {
  const [token, product] = await Promise.all([
    ports.refreshTokens.read(text),
    ports.productAccess.get(productId),
  ])
  if (!keepsPlayers(product, ports.signInRule)) return { error: 'invalid_client' }
  const renewed = token && (await renewFamily(token, productId, now, ports, minting(now, ports)))
  return renewed ? await issued(renewed, ports) : { error: 'invalid_grant' }
}

/** The tokens of a game that asks with a device code (RFC 8628), once its user has approved (D101). `now`, and failures: as above. */
export async function tokensOfDevice(
  deviceCode: string,
  productId: ProductId,
  now: number,
  ports: IssuePorts & PollPorts,
): Promise<IssuedTokens | { error: TokenError }> {
  if (!keepsPlayers(await ports.productAccess.get(productId), ports.signInRule)) {
    return { error: 'invalid_client' }
  }
  const polled = await pollGrant(deviceCode, productId, now, ports, minting(now, ports))
  return 'error' in polled ? polled : await issued(polled, ports)
}

const minting =
  (now: number, ports: IssuePorts): Mint =>
  (family) =>
    mintPlayerToken(family, now, ports)

const issued = async (
  { family, playerToken }: RenewedFamily,
  ports: IssuePorts,
): Promise<IssuedTokens> => ({
  playerToken,
  refreshToken: await ports.refreshTokens.write(family),
})
