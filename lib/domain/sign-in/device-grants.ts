import { ServiceUnavailable } from '../failures.ts'
import type { DeviceCodes, DeviceGrants } from '../ports/device-grants.ts'
import type { ProductId } from '../product/product.ts'
import { type DeviceGrant, judgePoll } from './device-grant.ts'
import type { PollError } from './poll-error.ts'
import { beginFamily, type FamilyPorts } from './refresh-families.ts'
import type { RefreshToken } from './refresh-family.ts'
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
 * The answer to a poll of a game: its first refresh token after the user has approved, or why there is none. The token is given
 * out once, and for 30 seconds again, because the game may not have received it. A user who has signed out since has denied it.
 * `now`: milliseconds since 1970. Throws RateLimited before anything is given out.
 */
export async function pollGrant(
  deviceCode: string,
  productId: ProductId,
  now: number,
  { deviceGrants, families, walletLists, playerTokenCounts }: PollPorts,
): Promise<RefreshToken | { error: PollError }> {
  const polled = await deviceGrants.poll(deviceCode, now)
  if (!polled) return { error: 'invalid_grant' }
  const { grant, isTooSoon } = polled
  const judged = judgePoll(grant, productId, { isTooSoon, now })
  if ('error' in judged) return judged
  const { userId, wallet, beganAt } = judged
  if (!isSignedIn(judged, await walletLists.get(userId))) return { error: 'access_denied' }
  await playerTokenCounts.count(userId)
  const { familyId, userCode, usedAt } = grant
  // Before the use is noted, so that a crash between the two leaves a grant that the next poll completes.
  if (usedAt === undefined)
    await beginFamily({ userId, familyId, productId, wallet, beganAt }, now, families)
  await deviceGrants.use(userCode, now)
  return { userId, familyId, counter: 0 }
}
