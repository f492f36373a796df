import { dynamoProductAccess } from '../../lib/adapters/dynamodb/product-access.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { hmacRefreshTokens } from '../../lib/adapters/hmac/sign-in-texts.ts'
import { randomText } from '../../lib/adapters/random/random-text.ts'
import { signedInUserEntry } from '../../lib/contract/sign-in-entries.ts'
import type { ProductId } from '../../lib/domain/product/product.ts'
import { InvalidClient, RefusedProof } from '../../lib/domain/sign-in/failures.ts'
import { gameDomains, productWithSignIn } from '../../lib/domain/sign-in/product-sign-in.ts'
import type { Expectation } from '../../lib/domain/sign-in/proof.ts'
import { beginFamily } from '../../lib/domain/sign-in/refresh-families.ts'
import type { Session } from '../../lib/domain/sign-in/session.ts'
import { signIn } from '../../lib/domain/sign-in/sign-in.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { requestSubject } from '../../lib/observability/request-subject.ts'
import { pageSettings, signInRuleSettings, signInSettings } from '../../lib/settings/sign-in.ts'
import { pagePorts } from '../composition/sign-in-ports.ts'
import { row } from './operation.ts'

const table = openTable()
const { secret } = signInSettings()

const adapters = {
  ...pagePorts(table),
  ...pageSettings(),
  ...signInRuleSettings(),
  refreshTokens: hmacRefreshTokens(secret),
  productAccess: dynamoProductAccess(table),
}

type Ports = typeof adapters

/** D110, D111: signs a player in with a wallet: to a game for 30 days, or on the page of the deployment for an hour. */
export const handler = handlerOf(
  row,
  adapters,
  async (
    { body: { productId, username, ...proof }, sourceAddress: network, sendingPage },
    ports,
  ) => {
    requestSubject.note({ productId })
    const expectation = await expectationOf(productId, ports)
    const now = Date.now()
    const arrival = { now, network, sendingPage, username }
    const signedIn = await signIn(proof, expectation, arrival, ports)
    if (signedIn.fault) throw new RefusedProof(signedIn.fault, ports)
    const { userId } = signedIn
    requestSubject.note({ userId })
    const begun =
      productId === undefined
        ? { session: await ports.sessions.begin(signedIn) }
        : { refreshToken: await refreshTokenOf(signedIn, productId, now, ports) }
    const user = signedInUserEntry(userId, await ports.walletLists.get(userId))
    return { data: { ...begun, user } }
  },
)

async function expectationOf(
  productId: ProductId | undefined,
  { expectation, productAccess, page, signInRule }: Ports,
): Promise<Expectation> {
  if (productId === undefined) return { ...expectation, purposes: [{ kind: 'page' }] }
  const stored = productWithSignIn(await productAccess.get(productId), signInRule)
  if (!stored) throw new InvalidClient()
  const domains = gameDomains(stored, page)
  return { ...expectation, domains, purposes: [{ kind: 'product', productId }] }
}

async function refreshTokenOf(
  signedIn: Session,
  productId: ProductId,
  now: number,
  { families, refreshTokens }: Ports,
): Promise<string> {
  const familyId = randomText()
  return await refreshTokens.write(
    await beginFamily({ ...signedIn, familyId, productId }, now, families),
  )
}
