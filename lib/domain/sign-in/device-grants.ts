import { ServiceUnavailable } from '../failures.ts'
import type { RefreshFamilies, SignInPorts } from '../ports/sign-in.ts'
import type { ProductId } from '../product/product.ts'
import { type Approval, type DeviceGrant, judgePoll } from './device-grant.ts'
import type { TokenError } from './failures.ts'
import { keepsPlayers } from './product-sign-in.ts'
import { type FamilyPorts, mintPlayerToken, type RenewedFamily } from './refresh-families.ts'
import type { RefreshFamily } from './refresh-family.ts'
import { isSignedIn } from './signed-in.ts'

export type PollPorts = FamilyPorts &
  Pick<SignInPorts, 'deviceGrants' | 'productAccess' | 'signInRule'>

/** The maximum number of user codes that are tried: of 25 billion, few are taken. */
const attempts = 5

/** Begins a grant of a product. `now`: milliseconds since 1970. */
export async function beginGrant(
  request: Pick<DeviceGrant, 'productId' | 'familyId' | 'askedFrom'>,
  now: number,
  { deviceCodes, deviceGrants }: Pick<SignInPorts, 'deviceCodes' | 'deviceGrants'>,
): Promise<DeviceGrant> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const userCode = deviceCodes.newUserCode()
    const deviceCode = await deviceCodes.newDeviceCode(userCode)
    const grant = { ...request, userCode, deviceCode, askedAt: now }
    if (await deviceGrants.add(grant, now)) return grant
  }
  throw new ServiceUnavailable('no user code is free')
}

/**
 * The answer to a poll of a game: the family that the approval of the user has begun, with its first refresh token and a player token,
 * or why there is none. It is given out once, and for a minute again, because the game may not have received it. A user who has
 * signed out since, or has ended the access, has denied it. `now`: milliseconds since 1970. Throws RateLimited and ServiceUnavailable
 * before the grant is used: the next poll gets it.
 */
export async function pollGrant(
  codes: Pick<DeviceGrant, 'userCode' | 'deviceCode'>,
  productId: ProductId,
  now: number,
  ports: PollPorts,
): Promise<RenewedFamily | { error: TokenError }> {
  const { deviceGrants, families } = ports
  const grant = await deviceGrants.ofDevice(codes)
  if (!grant) return { error: 'invalid_grant' }
  const judged = judgePoll(grant, productId, now)
  if ('error' in judged) return judged
  if (!keepsPlayers(await ports.productAccess.get(productId), ports.signInRule))
    return { error: 'invalid_client' }
  // One that is not noted comes just after another one, or at the same time.
  const isRepeated = judged.isRepeated || !(await deviceGrants.notePoll(grant, now))
  const { approval } = judged
  if (!approval) return { error: 'authorization_pending' }
  const { userId } = approval
  const [list, family] = await Promise.all([
    ports.walletLists.get(userId),
    families.get(userId, grant.familyId),
  ])
  if (!isSignedIn(approval, list) || !family) return { error: 'access_denied' }
  // The noted one has come before the approval, or its token is on the way.
  if (isRepeated && grant.usedAt === undefined) return { error: 'authorization_pending' }
  // The poll that got the first token has counted it (D141).
  const isCounted = judged.isRepeated && grant.usedAt === grant.polledAt
  if (!isCounted) await ports.playerTokenCounts.count(userId)
  const approved = await asApproved(family, approval, families)
  const playerToken = approved && (await mintPlayerToken(approved, now, ports))
  if (!approved || playerToken === undefined) return { error: 'access_denied' }
  if (grant.usedAt === undefined) await deviceGrants.use(grant.userCode, now)
  return { family: { ...approved, counter: 0 }, playerToken }
}

/** A family as the approval has begun it, after another tab or a crash (D144). `undefined` if it has ended. */
async function asApproved(
  family: RefreshFamily,
  { wallet, beganAt }: Approval,
  families: RefreshFamilies,
): Promise<RefreshFamily | undefined> {
  if (family.wallet === wallet && family.beganAt === beganAt) return family
  const approved = { ...family, wallet, beganAt }
  return (await families.redate(approved)) ? approved : undefined
}
