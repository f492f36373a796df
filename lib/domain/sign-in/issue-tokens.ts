import { ServiceUnavailable } from '../failures.ts'
import type { PlayerTokenMint } from '../ports/players.ts'
import type { ProductAccess } from '../ports/products.ts'
import type { RefreshTokens } from '../ports/refresh-families.ts'
import type { DeviceCodes, WalletLists } from '../ports/sign-in.ts'
import type { ProductId } from '../product/product.ts'
import { type PollPorts, pollGrant } from './device-grants.ts'
import type { TokenError } from './failures.ts'
import { keepsPlayers, type SignInRule } from './product-sign-in.ts'
import { type FamilyPorts, type Mint, type RenewedFamily, renewFamily } from './refresh-families.ts'
import type { RefreshFamily } from './refresh-family.ts'
import { isSignedIn } from './signed-in.ts'

export interface IssuePorts extends FamilyPorts {
  refreshTokens: Pick<RefreshTokens, 'read' | 'write'>
  playerTokenMint: PlayerTokenMint
  productAccess: Pick<ProductAccess, 'get'>
  signInRule: SignInRule
}

/** What a game gets: a player token, and the refresh token for the next one. */
type Issued = { playerToken: string; refreshToken: string } | { error: TokenError }

/** The product of a refresh token, for a game that does not name itself (D141); `undefined` for a text that is none, and after its family has ended. */
export async function productOfRefreshToken(
  text: string,
  { refreshTokens, families }: Pick<IssuePorts, 'refreshTokens' | 'families'>,
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
  const renewed = await renewFamily(token, productId, now, ports, minting(now, ports))
  return renewed ? await issued(renewed, ports) : { error: 'invalid_grant' }
}

/** The tokens of a game that asks with a device code (RFC 8628), once its user has approved (D101). `now`, and failures: as above. */
export async function tokensOfDevice(
  deviceCode: string,
  productId: ProductId,
  now: number,
  ports: IssuePorts & PollPorts & { deviceCodes: Pick<DeviceCodes, 'userCodeOf'> },
): Promise<Issued> {
  const userCode = await ports.deviceCodes.userCodeOf(deviceCode)
  if (userCode === undefined) return { error: 'invalid_grant' }
  const codes = { userCode, deviceCode }
  const polled = await pollGrant(codes, productId, now, ports, minting(now, ports))
  return 'error' in polled ? polled : await issued(polled, ports)
}

const minting =
  (now: number, ports: IssuePorts): Mint =>
  (family) =>
    mintPlayerToken(family, now, ports)

const issued = async ({ family, playerToken }: RenewedFamily, ports: IssuePorts) => ({
  playerToken,
  refreshToken: await ports.refreshTokens.write(family),
})

/**
 * Mints a player token for the game of a family (D103). `undefined` if its signature does not sign in any more. The token is of
 * a second after the latest sign-out, so that it is valid. `now`: milliseconds since 1970. Throws ServiceUnavailable.
 */
export async function mintPlayerToken(
  family: Pick<RefreshFamily, 'userId' | 'productId' | 'wallet' | 'beganAt'>,
  now: number,
  ports: { playerTokenMint: PlayerTokenMint; walletLists: Pick<WalletLists, 'get'> },
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
