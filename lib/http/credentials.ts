import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { Route } from '../contract/route.ts'
import { InvalidApiKey, MissingApiKey } from '../domain/credential-failures.ts'
import type { UserIdentity, UserJwts } from '../domain/ports/players.ts'
import type { ApiKeys } from '../domain/ports/products.ts'
import { parseApiKey } from '../domain/product/api-key-text.ts'
import { type ProductId, parseProductId } from '../domain/product/product.ts'
import type { KeyId, KeyReference, Scope } from '../domain/product/product-key.ts'
import {
  permittedProduct,
  productForClients,
  type StoredProduct,
} from '../domain/product/stored-product.ts'
import { InvalidSession, MissingSession } from '../domain/sign-in/failures.ts'
import type { Session } from '../domain/sign-in/session.ts'
import { type SessionPorts, validSession } from '../domain/sign-in/signed-in.ts'
import { requestSubject } from '../observability/request-subject.ts'
import { bearerToken } from './bearer-token.ts'
import {
  type Permission,
  type PermissionPorts,
  type PermissionRule,
  startPermission,
} from './permission.ts'
import { Problem } from './problem.ts'

/** The ports that identify the product of a request, and say what it permits. */
export interface ProductPorts extends PermissionPorts {
  apiKeys: ApiKeys
}

export interface UserPorts {
  userJwts: UserJwts
}

/** Who the credential of a request says that its caller is. */
export type Identity =
  | {
      productId: ProductId
      /** Absent for a game that names its product without a key (D51). */
      keyId: KeyId | undefined
      /** Whether the product permits the request; not known yet when the caller is identified. */
      access: Permission
    }
  | {
      productId?: undefined
      keyId?: undefined
      access?: undefined
      user?: UserIdentity
      session?: Session
    }

/**
 * Identifies a caller of a route by the credential that its row names, and notes the product, which is read after the player token, if
 * there is one. Throws a Problem or a Failure.
 */
export async function identify(
  route: Route,
  event: APIGatewayProxyEventV2,
  query: URLSearchParams,
  playerToken: Promise<unknown> | undefined,
  ports: ProductPorts & UserPorts & SessionPorts,
): Promise<Identity> {
  if (route.auth === 'SESSION') {
    return await identifySession(event, ports, route.isSessionOptional ?? false)
  }
  if (route.auth !== 'PRODUCT') return route.auth === 'USER' ? await identifyUser(event, ports) : {}
  const { scope = 'MANAGE', clientAccess } = route
  const client = clientAccess && identifyClient(event, query, ports, playerToken)
  return client || (await identifyByApiKey(event, scope, ports, playerToken))
}

async function identifyByApiKey(
  { headers }: APIGatewayProxyEventV2,
  scope: Scope,
  ports: ProductPorts,
  playerToken: Promise<unknown> | undefined,
): Promise<Identity> {
  const reference = await referenceOf(headers['x-api-key'], ports)
  const permitted = (stored?: StoredProduct) =>
    permittedProduct(stored, reference, scope, Date.now())
  const { productId, keyId } = reference
  return identified({ productId, keyId, permitted, playerToken }, ports)
}

async function referenceOf(
  header: string | undefined,
  { apiKeys }: ProductPorts,
): Promise<KeyReference> {
  if (!header) throw new MissingApiKey('no_key')
  const apiKey = parseApiKey(header)
  if (!apiKey) throw new InvalidApiKey('malformed')
  const reference = await apiKeys.referenceOf(apiKey)
  if (!reference) throw new InvalidApiKey('unknown_key')
  return reference
}

/** The product that a game names in place of an API key; `undefined` if there is a key (D51). */
function identifyClient(
  { headers }: APIGatewayProxyEventV2,
  query: URLSearchParams,
  ports: PermissionPorts,
  playerToken: Promise<unknown> | undefined,
): Identity | undefined {
  if (headers['x-api-key']) return undefined
  const [text = '', ...others] = query.getAll('productId')
  const productId = others.length === 0 ? parseProductId(text) : undefined
  if (!productId) return undefined
  return identified({ productId, permitted: productForClients, playerToken }, ports)
}

/** Notes the product of a request, and starts to read whether it permits the request. */
function identified(rule: PermissionRule, ports: PermissionPorts): Identity {
  const { productId, keyId } = rule
  requestSubject.note({ productId })
  return { productId, keyId, access: startPermission(rule, ports) }
}

async function identifyUser(
  { headers }: APIGatewayProxyEventV2,
  { userJwts }: UserPorts,
): Promise<Identity> {
  const userJwt = bearerToken(headers)
  if (!userJwt) {
    throw new Problem(
      'missing_user_token',
      'Send the user JWT in the header Authorization, as Bearer <USER_JWT>.',
      { reason: headers['authorization'] ? 'not_bearer' : 'no_token' },
    )
  }
  return { user: await userJwts.verify(userJwt) }
}

async function identifySession(
  { headers }: APIGatewayProxyEventV2,
  ports: SessionPorts,
  isOptional: boolean,
): Promise<Identity> {
  const text = bearerToken(headers)
  if (!text && isOptional && !headers['authorization']) return {}
  if (!text) throw new MissingSession()
  const session = await validSession(text, Date.now(), ports)
  if (!session) throw new InvalidSession()
  requestSubject.note({ userId: session.userId })
  return { session }
}
