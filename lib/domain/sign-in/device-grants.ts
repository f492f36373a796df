import { ServiceUnavailable } from '../failures.ts'
import type { DeviceCodes, DeviceGrants } from '../ports/device-grants.ts'
import type { ProductId } from '../product/product.ts'
import { type DeviceGrant, judgePoll } from './device-grant.ts'
import type { PollError } from './poll-error.ts'
import type { FamilyPorts, Mint, RenewedFamily } from './refresh-families.ts'
import { isSignedIn } from './signed-in.ts'

export interface PollPorts extends FamilyPorts {
  deviceGrants: DeviceGrants
}

/** The maximum number of user codes that are tried: of 25 billion, few are taken. */
const attempts = 5

/** Begins a grant of a product. `now`: milliseconds since 1970. */
export async function beginGrant(
  asked: Pick<DeviceGrant, 'productId' | 'familyId' | 'askedFrom'>,
  now: number,
  { codes, deviceGrants }: { codes: DeviceCodes; deviceGrants: DeviceGrants },
): Promise<DeviceGrant> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const userCode = codes.newUserCode()
    const grant = { ...asked, userCode, deviceCode: codes.newDeviceCode(userCode), askedAt: now }
    if (await deviceGrants.add(grant, now)) return grant
  }
  throw new ServiceUnavailable('no user code is free')
}

/**
 * The answer to a poll of a game: the family that the approval of the user has begun, with its first refresh token and a player token,
 * or why there is none. It is given out once, and for a minute again, because the game may not have received it. A user who has
 * signed out since, or has ended the access, has denied it. `now`: milliseconds since 1970. Throws RateLimited, and what `mint`
 * throws, before the grant is used: the next poll gets it.
 */
export async function pollGrant(
  deviceCode: string,
  productId: ProductId,
  now: number,
  { deviceGrants, families, walletLists, playerTokenCounts }: PollPorts,
  mint: Mint,
): Promise<RenewedFamily | { error: PollError }> {
  const polled = await deviceGrants.poll(deviceCode, now)
  if (!polled) return { error: 'invalid_grant' }
  const { grant, isTooSoon } = polled
  const judged = judgePoll(grant, productId, { isTooSoon, now })
  if ('error' in judged) return judged
  const { userId } = judged
  const [list, family] = await Promise.all([
    walletLists.get(userId),
    families.get(userId, grant.familyId),
  ])
  if (!isSignedIn(judged, list) || !family) return { error: 'access_denied' }
  await playerTokenCounts.count(userId)
  const playerToken = await mint(family)
  if (playerToken === undefined) return { error: 'access_denied' }
  await deviceGrants.use(grant.userCode, now)
  return { family: { ...family, counter: 0 }, playerToken }
}
