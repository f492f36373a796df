import { ServiceUnavailable } from '../failures.ts'
import type { PlayerTokenMint } from '../ports/players.ts'
import type { WalletLists } from '../ports/sign-in.ts'
import type { RefreshFamily } from './refresh-family.ts'
import { isSignedIn } from './signed-in.ts'

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
