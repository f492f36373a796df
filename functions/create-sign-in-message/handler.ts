import { dynamoProductAccess } from '../../lib/adapters/dynamodb/product-access.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { hmacSignInNonces } from '../../lib/adapters/hmac/sign-in-texts.ts'
import { InvalidInput } from '../../lib/domain/failures.ts'
import { chains } from '../../lib/domain/nft/chain.ts'
import { walletAt } from '../../lib/domain/nft/wallet.ts'
import type { ProductId } from '../../lib/domain/product/product.ts'
import { InvalidClient, MissingSession } from '../../lib/domain/sign-in/failures.ts'
import {
  gameDomains,
  parseSignInDomain,
  productWithSignIn,
} from '../../lib/domain/sign-in/product-sign-in.ts'
import { newMessage, type RequestedMessage, statements } from '../../lib/domain/sign-in/purpose.ts'
import type { Session } from '../../lib/domain/sign-in/session.ts'
import type { Input } from '../../lib/http/endpoint.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { requestSubject } from '../../lib/observability/request-subject.ts'
import { allowlistSettings } from '../../lib/settings/indexer.ts'
import { pageSettings, signInRuleSettings, signInSettings } from '../../lib/settings/sign-in.ts'
import { sessionPorts } from '../composition/sign-in-ports.ts'
import { row } from './operation.ts'

/** What a message is asked for, as the request says it. */
type MessageRequest = Omit<Input<typeof row>['body'], 'address' | 'chain'>

const table = openTable()
const { secret } = signInSettings()

const adapters = {
  ...sessionPorts(table),
  nonces: hmacSignInNonces(secret),
  productAccess: dynamoProductAccess(table),
  ...allowlistSettings(),
  ...pageSettings(),
  ...signInRuleSettings(),
}

type Ports = typeof adapters

/** D110, D111, D144: writes the message that a wallet signs. Stores nothing. */
export const handler = handlerOf(
  row,
  adapters,
  async ({ body: { address, chain, ...requested }, session }, ports) => {
    requireOne(requested)
    const purpose =
      requested.productId === undefined
        ? await onPage(requested, session, ports)
        : await forGame(requested.productId, requested.domain, ports)
    const { chainId } = chains[chain]
    const { message, expiresAt } = await newMessage(
      { ...purpose, address, chainId },
      Date.now(),
      ports.nonces,
    )
    return { data: { message, expiresAt: new Date(expiresAt).toISOString() } }
  },
)

type Purpose = Pick<RequestedMessage, 'purpose' | 'statement' | 'domain'>

/** Throws InvalidInput if a message is asked for several purposes, or has the chain of a wallet that it does not name. */
function requireOne({ productId, link, move, consent, remove, ...chainsOf }: MessageRequest): void {
  for (const [path, wallet] of [
    ['consentChain', consent],
    ['removeChain', remove],
  ] as const) {
    if (chainsOf[path] && !wallet)
      throw new InvalidInput({ in: 'body', path }, `needs ${path.replace('Chain', '')}`)
  }
  const requested = Object.entries({ productId, link, move, consent, remove }).filter(
    ([, value]) => value,
  )
  const [, other] = requested
  if (!other) return
  throw new InvalidInput({ in: 'body', path: other[0] }, `excludes ${requested[0]?.[0]}`)
}

async function forGame(
  productId: ProductId,
  domain: string | undefined,
  { productAccess, page, signInRule }: Ports,
): Promise<Purpose> {
  requestSubject.note({ productId })
  const stored = productWithSignIn(await productAccess.get(productId), signInRule)
  if (!stored) throw new InvalidClient()
  return {
    purpose: { kind: 'product', productId },
    statement: statements.product(stored.product.name),
    domain: oneOf(gameDomains(stored, page), domain),
  }
}

async function onPage(
  { domain, link, move, consent, remove, ...chainsOf }: MessageRequest,
  session: Session | undefined,
  { walletLists, page }: Ports,
): Promise<Purpose> {
  const place = { domain: oneOf([page], domain ?? page, `${page}, without a product`) }
  if (!link && !move && !consent && !remove) {
    return { ...place, purpose: { kind: 'page' }, statement: statements.page() }
  }
  if (!session) throw new MissingSession()
  const { userId } = session
  const { username = '' } = await walletLists.get(userId)
  const address = consent ?? remove
  if (address) {
    const kind = consent ? 'consent' : 'remove'
    const chain = chainsOf[`${kind}Chain`]
    const wallet = walletAt(address, chain && chains[chain].chainId)
    const purpose = { kind, userId, wallet } as const
    return { ...place, purpose, statement: statements[kind](wallet, username) }
  }
  const kind = move ? 'move' : 'link'
  return { ...place, purpose: { kind, userId }, statement: statements[kind](username) }
}

/** The host at which somebody signs in: the only one, if the request names none. */
function oneOf(
  domains: readonly string[],
  requested: string | undefined,
  named = 'one of the signInDomains of the product',
): string {
  const [only, ...others] = domains
  const domain = requested === undefined ? only : (parseSignInDomain(requested) ?? requested)
  const field = { in: 'body', path: 'domain' } as const
  if (requested === undefined && others.length > 0) throw new InvalidInput(field, 'is required')
  if (domain === undefined || !domains.includes(domain)) {
    throw new InvalidInput(field, `must be ${named}`)
  }
  return domain
}
