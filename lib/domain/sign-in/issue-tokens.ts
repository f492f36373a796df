import type { SignInPorts } from '../ports/sign-in.ts'
import type { ProductId } from '../product/product.ts'
import { type PollPorts, pollGrant } from './device-grants.ts'
import type { TokenError } from './failures.ts'
import { keepsPlayers } from './product-sign-in.ts'
import { type FamilyPorts, type RenewedFamily, renewFamily } from './refresh-families.ts'

export type IssuePorts = FamilyPorts &
  Pick<SignInPorts, 'refreshTokens' | 'productAccess' | 'signInRule'>

/** What a game gets: a player token, and the refresh token for the next one. */
type Issued = { playerToken: string; refreshToken: string } | { error: TokenError }

/** The product of a refresh token, for a game that does not name itself (D141); `undefined` for a text that is none, and after its family has ended. */
export async function productOfRefreshToken(
  text: string,
  { refreshTokens, families }: IssuePorts,
): Promise<ProductId | undefined> {
  const token = await refreshTokens.read(text)
  return token && (await families.get(token.userId, token.familyId))?.productId
}

/**
 * A player token and the next refresh token for a refresh token (D99, D103). The same text can be sent again after a
 * failure. `now`: milliseconds since 1970. Throws RateLimited.
 */
export async function refreshTokens(
  text: string,
  productId: ProductId,
  now: number,
  ports: IssuePorts,
): Promise<Issued> {
  const token = await ports.refreshTokens.read(text)
  if (!token) return { error: 'invalid_grant' }
  const product = await ports.productAccess.get(productId)
  if (!keepsPlayers(product, ports.signInRule)) return { error: 'invalid_client' }
  const renewed = await renewFamily(token, productId, now, ports)
  return renewed ? await issued(renewed, ports) : { error: 'invalid_grant' }
}

/** The tokens of a game that asks with a device code (RFC 8628), once its user has approved (D101). `now`, and failures: as above. */
export async function tokensOfDevice(
  deviceCode: string,
  productId: ProductId,
  now: number,
  ports: IssuePorts & PollPorts & Pick<SignInPorts, 'deviceCodes'>,
): Promise<Issued> {
  const userCode = await ports.deviceCodes.userCodeOf(deviceCode)
  if (userCode === undefined) return { error: 'invalid_grant' }
  const polled = await pollGrant({ userCode, deviceCode }, productId, now, ports)
  return 'error' in polled ? polled : await issued(polled, ports)
}

const issued = async ({ family, playerToken }: RenewedFamily, ports: IssuePorts) => ({
  playerToken,
  refreshToken: await ports.refreshTokens.write(family),
})
