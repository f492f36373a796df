import type { SignInPorts } from '../ports/sign-in.ts'
import type { StoredProduct } from '../product/stored-product.ts'
import { type DeviceDecision, hasExpired, parseUserCode, type StoredGrant } from './device-grant.ts'
import { productWithSignIn } from './product-sign-in.ts'
import type { Arrival } from './proof.ts'
import { beginFamily } from './refresh-families.ts'
import type { Session } from './session.ts'
import { isSignedIn } from './signed-in.ts'

type DeviceRequestPorts = Pick<
  SignInPorts,
  'deviceGrants' | 'productAccess' | 'signInUse' | 'signInRule'
>

type DecisionPorts = DeviceRequestPorts & Pick<SignInPorts, 'families' | 'walletLists'>

/** What a user sees of a game that asks for access, before and after the decision. */
export interface DeviceRequest {
  userCode: string
  product: StoredProduct
  state: 'pending' | 'approved' | 'denied' | 'expired'
  /** In milliseconds since 1970. */
  askedAt: number
  /** Whether the game has asked from the network of the user (D131). Otherwise the code may be that of somebody else. */
  isSameNetwork: boolean
}

/**
 * The game that asks with a user code, as a user types it; `undefined` if none does, or if its product does not sign players in
 * any more. A code that is wrong counts as a guess of the user and of the network, whose limit refuses no code that is right (D140).
 * Throws RateLimited.
 */
export async function deviceRequest(
  session: Pick<Session, 'userId'>,
  text: string,
  arrival: Arrival,
  ports: DeviceRequestPorts,
): Promise<DeviceRequest | undefined> {
  return (await found(session, text, arrival, ports))?.request
}

/**
 * Decides once whether a game gets access, and returns the request after it. `isDecided`: whether this is what was decided, now or before,
 * by the same user, in whichever session, and holds; otherwise the code has expired, or somebody has decided before, or the user has
 * ended the access since. `undefined`, and failures: as above.
 */
export async function decideDeviceRequest(
  session: Session,
  text: string,
  { approve, ...arrival }: Arrival & { approve: boolean },
  ports: DecisionPorts,
): Promise<(DeviceRequest & { isDecided: boolean }) | undefined> {
  const entered = await found(session, text, arrival, ports)
  if (!entered) return undefined
  const { grant, request } = entered
  const { userId, wallet, beganAt } = session
  const decision: DeviceDecision = approve
    ? { kind: 'approved', userId, wallet, beganAt }
    : { kind: 'denied' }
  const decided =
    request.state === 'pending' ? await decide(grant, decision, arrival.now, ports) : grant
  const hasAccess = await settle(userId, grant.familyId, decided?.decision, ports)
  const state = decided ? stateOf(decided, arrival.now) : 'expired'
  // Nobody can see who has denied.
  return { ...request, state, isDecided: approve ? hasAccess : state === 'denied' }
}

/** Decides about a grant, unless that has been done. Returns it as it is then. */
async function decide(
  grant: StoredGrant,
  decision: DeviceDecision,
  now: number,
  { families, deviceGrants }: DecisionPorts,
): Promise<StoredGrant | undefined> {
  const { familyId, productId, userCode } = grant
  if (decision.kind === 'approved') {
    const { kind: _, ...begun } = decision
    // Before the decision, so that an approved game has access that the user sees and can end.
    await beginFamily({ ...begun, familyId, productId }, now, families)
  }
  if (await deviceGrants.decide(userCode, decision, now)) return { ...grant, decision }
  return await deviceGrants.get(userCode)
}

/**
 * Keeps the family of a user who has approved, as the decision that counts has begun it: another session may have begun the
 * family, and lost. Ends that of everybody else, and of a user who has signed out since. A repeat completes what a crash has left.
 * Returns whether the user has a family.
 */
async function settle(
  userId: number,
  familyId: string,
  decision: DeviceDecision | undefined,
  { families, walletLists }: DecisionPorts,
): Promise<boolean> {
  if (decision?.kind === 'approved' && decision.userId === userId) {
    const { wallet, beganAt } = decision
    if (isSignedIn(decision, await walletLists.get(userId)))
      return await families.redate({ userId, familyId, wallet, beganAt })
  }
  await families.end(userId, familyId)
  return false
}

async function found(
  { userId }: Pick<Session, 'userId'>,
  text: string,
  { now, network }: Arrival,
  { deviceGrants, productAccess, signInUse, signInRule }: DeviceRequestPorts,
): Promise<{ grant: StoredGrant; request: DeviceRequest } | undefined> {
  // Before the code is looked up, so that guesses at the same time count too.
  await signInUse.guess(userId)
  const userCode = parseUserCode(text)
  const grant = userCode === undefined ? undefined : await deviceGrants.get(userCode)
  const product = grant && productWithSignIn(await productAccess.get(grant.productId), signInRule)
  if (!grant || !product) {
    await signInUse.guessedWrong(network)
    return undefined
  }
  await signInUse.guessedRight(userId)
  const { askedAt, askedFrom } = grant
  const state = stateOf(grant, now)
  const isSameNetwork = askedFrom === network
  return { grant, request: { userCode: grant.userCode, product, askedAt, state, isSameNetwork } }
}

function stateOf(grant: StoredGrant, now: number): DeviceRequest['state'] {
  return grant.decision?.kind ?? (hasExpired(grant, now) ? 'expired' : 'pending')
}
