import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { InvalidInput } from '../../lib/domain/failures.ts'
import { chains } from '../../lib/domain/nft/chain.ts'
import type { ProductAccess } from '../../lib/domain/ports/product-keys.ts'
import type { SignInNonces } from '../../lib/domain/ports/sign-in.ts'
import { InvalidClient } from '../../lib/domain/sign-in/failures.ts'
import { newMessage } from '../../lib/domain/sign-in/new-message.ts'
import { parseSignInDomain, productWithSignIn } from '../../lib/domain/sign-in/product-sign-in.ts'
import { statements } from '../../lib/domain/sign-in/purpose.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { requestSubject } from '../../lib/observability/request-subject.ts'
import { allowlistSettings } from '../../lib/settings/indexer.ts'
import { accessPorts, signInDeployment, walletPorts } from '../composition/sign-in-ports.ts'
import { row } from './operation.ts'

/** D110: writes the message that a wallet signs to sign in to a game. Stores nothing. */
export const createSignInMessage = operation(
  row,
  async (
    { body: { address, chain, productId, domain } },
    ports: { nonces: SignInNonces; productAccess: Pick<ProductAccess, 'get'> },
  ) => {
    requestSubject.note({ productId })
    const stored = productWithSignIn(await ports.productAccess.get(productId))
    if (!stored) throw new InvalidClient()
    const { name, signInDomains = [] } = stored.product
    const asked = {
      ...{ address, chainId: chains[chain].chainId, domain: oneOf(signInDomains, domain) },
      purpose: { kind: 'product', productId },
      statement: statements.product({ product: name }),
    } as const
    const { message, expiresAt } = await newMessage(asked, Date.now(), ports.nonces)
    return { data: { message, expiresAt: new Date(expiresAt).toISOString() } }
  },
)

/** The host at which a player signs in: the only one of the product, if the request names none. */
function oneOf(domains: readonly string[], asked: string | undefined): string {
  const [only, ...others] = domains
  const domain = asked === undefined ? only : parseSignInDomain(asked)
  const field = { in: 'body', path: 'domain' } as const
  if (asked === undefined && others.length > 0) throw new InvalidInput(field, 'is required')
  if (domain === undefined || !domains.includes(domain)) {
    throw new InvalidInput(field, 'must be one of the signInDomains of the product')
  }
  return domain
}

const table = openTable()

export const handler = lambda(createSignInMessage, {
  ...accessPorts(table, signInDeployment()),
  ...walletPorts(table, signInDeployment()),
  ...allowlistSettings(),
})
