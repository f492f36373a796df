import type { DeviceGrants } from '../ports/device-grants.ts'
import type { ProductAccess } from '../ports/product-keys.ts'
import type { SignInUse } from '../ports/sign-in-use.ts'
import type { StoredProduct } from '../product/stored-product.ts'
import { hasExpired, type StoredGrant } from './device-grant.ts'
import { productWithSignIn } from './product-sign-in.ts'
import type { Arrival } from './proof.ts'
import type { Session } from './session.ts'
import type { SignInRule } from './sign-in-permit.ts'
import { parseUserCode } from './user-code.ts'

export interface DeviceRequestPorts {
  deviceGrants: Pick<DeviceGrants, 'get' | 'decide'>
  productAccess: Pick<ProductAccess, 'get'>
  signInUse: Pick<SignInUse, 'guess' | 'guessedRight'>
  signInRule: SignInRule
}

/** What a user sees of a game that asks for access, before and after the decision. */
export interface DeviceRequest {
  userCode: string
  product: StoredProduct
  state: 'pending' | 'approved' | 'denied' | 'expired'
  /** In milliseconds since 1970. */
  askedAt: number
  /** Whether the game has asked from the network of the user. Otherwise somebody else may have sent the code to the user. */
  isSameNetwork: boolean
}

/**
 * The game that asks with a user code, as a user types it; `undefined` if none does, or if its product does not sign players in
 * any more. A code that is wrong counts as a guess (D107). Throws RateLimited.
 */
export async function deviceRequest(
  { userId }: Pick<Session, 'userId'>,
  text: string,
  { now, network }: Arrival,
  { deviceGrants, productAccess, signInUse, signInRule }: DeviceRequestPorts,
): Promise<DeviceRequest | undefined> {
  // Before the code is looked up, so that guesses at the same time count too.
  await signInUse.guess(userId, network)
  const userCode = parseUserCode(text)
  const grant = userCode === undefined ? undefined : await deviceGrants.get(userCode)
  const product = grant && productWithSignIn(await productAccess.get(grant.productId), signInRule)
  if (!grant || !product) return undefined
  await signInUse.guessedRight(userId, network)
  const { askedAt, askedFrom } = grant
  return {
    ...{ userCode: grant.userCode, product, askedAt },
    state: stateOf(grant, now),
    isSameNetwork: askedFrom === network,
  }
}

/**
 * Decides once whether a game gets access, and returns the request after it. `isNew`: whether this decision counts; otherwise the
 * code has expired, or somebody has decided before. `undefined`, and failures: as above.
 */
export async function decideDeviceRequest(
  session: Session,
  text: string,
  { approve, ...arrival }: Arrival & { approve: boolean },
  ports: DeviceRequestPorts,
): Promise<(DeviceRequest & { isNew: boolean }) | undefined> {
  const request = await deviceRequest(session, text, arrival, ports)
  if (request?.state !== 'pending') return request && { ...request, isNew: false }
  const { userId, wallet, beganAt } = session
  const decision = approve
    ? ({ kind: 'approved', userId, wallet, beganAt } as const)
    : ({ kind: 'denied' } as const)
  const isNew = await ports.deviceGrants.decide(request.userCode, decision, arrival.now)
  if (isNew) return { ...request, state: decision.kind, isNew }
  const decided = await ports.deviceGrants.get(request.userCode)
  return { ...request, state: decided ? stateOf(decided, arrival.now) : 'expired', isNew }
}

function stateOf(grant: StoredGrant, now: number): DeviceRequest['state'] {
  return grant.decision?.kind ?? (hasExpired(grant, now) ? 'expired' : 'pending')
}
