import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { FieldError } from '../contract/problems.ts'
import type { Route } from '../contract/route.ts'
import { InvalidApiKey, InvalidPlayerToken, MissingApiKey } from '../domain/failures.ts'
import type { Limit } from '../domain/limit/limit.ts'
import type { Player } from '../domain/player/player.ts'
import {
  type BeginningPorts,
  beginPlayerNfts,
  type PlayerNftsBeginning,
} from '../domain/player/player-nfts-beginning.ts'
import {
  checkPlayerTokenProduct,
  type PlayerTokenProductRule,
} from '../domain/player/player-token-product.ts'
import type { ProductUse } from '../domain/ports/limits.ts'
import type { Players, PlayerTokens, VerifiedPlayerToken } from '../domain/ports/players.ts'
import type { ApiKeys, ProductAccess } from '../domain/ports/product-keys.ts'
import type { UsageRecorder } from '../domain/ports/usage.ts'
import type { UserIdentity, UserJwts } from '../domain/ports/users.ts'
import { parseApiKey } from '../domain/product/api-key-text.ts'
import { type ProductId, parseProductId } from '../domain/product/product.ts'
import { permittedProduct, productForClients } from '../domain/product/product-access.ts'
import type { KeyId, KeyReference, Scope } from '../domain/product/product-key.ts'
import type { StoredProduct } from '../domain/product/stored-product.ts'
import type { AcceptedAge } from '../domain/reading/freshness.ts'
import type { PlayerDigest } from '../observability/player-digest.ts'
import { requestSubject } from '../observability/request-subject.ts'
import { acceptedAgeOf } from './cache-control.ts'
import type { CountedCall } from './counted-call.ts'
import {
  afterPermission,
  type Permission,
  type PermissionRule,
  startPermission,
} from './permission.ts'
import { Problem } from './problem.ts'
import { sentPlayerToken } from './sent-player-token.ts'

/** The caller of a request, as far as the route needs it. */
export interface Caller {
  productId?: ProductId
  /** Absent for a game that names its product without a key (D51). */
  keyId?: KeyId
  /** Whether the product permits the request; not known yet when the caller is identified. */
  access?: Permission
  user?: UserIdentity
  player?: Player
  /** The age that the caller accepts, if the answer can be remembered (D67). */
  acceptedAge?: AcceptedAge
  /** The reads of a player's NFTs that have begun, because the product and the player token are known. */
  begun?: PlayerNftsBeginning | undefined
  /** The fault of a player token that is missing or sent twice; reported with the faults of the input (D3, D23). */
  playerTokenError?: FieldError
}

/** A verified player token, or the fault of a token that was not sent correctly. */
interface IdentifiedToken extends Pick<Caller, 'playerTokenError'> {
  playerToken?: VerifiedPlayerToken
}

/** The ports of all routes that identify a caller; CallerPorts types the ports of one route. */
export interface AllCallerPorts extends Partial<BeginningPorts> {
  apiKeys?: ApiKeys
  productAccess?: ProductAccess
  productUse?: ProductUse
  usage?: UsageRecorder
  userJwts?: UserJwts
  playerTokens?: PlayerTokens
  players?: Players
  /** The limits of the player of a request (D47). */
  playerLimits?: readonly Limit[]
  playerTokenProduct?: PlayerTokenProductRule
  playerDigest?: PlayerDigest
}

/**
 * Identifies the caller. A fault of the API key or user JWT comes before a fault of the player token
 * (D3); both are looked up at the same time. Starts to read the permission of an API key, and waits for it
 * only if the player token has a fault. Notes the product and the player of the request. Throws a Problem or a
 * Failure.
 */
export async function identifyCaller(
  route: Route,
  event: APIGatewayProxyEventV2,
  query: URLSearchParams,
  ports: AllCallerPorts,
  countedCall: CountedCall,
): Promise<Caller> {
  const credential = identifyByCredential(route, event, query, ports)
  const token = route.player ? identifyToken(route, event, query, ports) : undefined
  const player = token && readPlayer(route, event, token, ports)
  // When the credential fails, nothing awaits the player.
  player?.catch(() => undefined)
  const accepted = route.remembered && {
    acceptedAge: acceptedAgeOf(event.headers['cache-control']),
  }
  const identified = { ...(await credential), ...accepted }
  const { productId, access } = identified
  if (productId !== undefined) requestSubject.note({ productId })
  if (productId !== undefined && access !== undefined) countedCall.belongTo(productId, access)
  if (!token || !player) return identified
  try {
    const { playerToken, ...fault } = await token
    const begun = playerToken && begin(playerToken, identified, ports)
    return { ...identified, ...fault, ...begun, ...(await player) }
  } catch (error) {
    throw await afterPermission(access, error)
  }
}

/** Begins the reads of the operation that need no player. Throws if the player token is not for the product. */
function begin(
  playerToken: VerifiedPlayerToken,
  { productId, acceptedAge }: Pick<Caller, 'productId' | 'acceptedAge'>,
  ports: AllCallerPorts,
): Pick<Caller, 'begun'> {
  if (productId === undefined) return {}
  checkPlayerTokenProduct(
    playerToken,
    productId,
    ports.playerTokenProduct as PlayerTokenProductRule,
  )
  if (!acceptedAge) return {}
  return { begun: beginPlayerNfts({ productId, acceptedAge }, ports as BeginningPorts) }
}

async function identifyByCredential(
  route: Route,
  event: APIGatewayProxyEventV2,
  query: URLSearchParams,
  { apiKeys, productAccess, productUse, userJwts }: AllCallerPorts,
): Promise<Caller> {
  const start = (rule: PermissionRule) =>
    startPermission(rule, productAccess as ProductAccess, productUse)
  const clientProductId = route.clientAccess && clientProductOf(event, query)
  if (clientProductId) {
    const access = start({ productId: clientProductId, permitted: productForClients })
    return { productId: clientProductId, access }
  }
  if (route.auth === 'PRODUCT') {
    const reference = await referenceOf(event.headers['x-api-key'], apiKeys as ApiKeys)
    const { productId, keyId } = reference
    const permitted = (stored?: StoredProduct) =>
      permittedProduct(stored, reference, route.scope as Scope, Date.now())
    return { productId, keyId, access: start({ productId, keyId, permitted }) }
  }
  if (route.auth === 'USER') {
    return { user: await userOf(event.headers['authorization'], userJwts as UserJwts) }
  }
  return {}
}

/** The product that a game names in place of an API key; `undefined` if there is a key (D51). */
function clientProductOf(
  { headers }: APIGatewayProxyEventV2,
  query: URLSearchParams,
): ProductId | undefined {
  if (headers['x-api-key']) return undefined
  const [productId = '', ...others] = query.getAll('productId')
  return others.length === 0 ? parseProductId(productId) : undefined
}

async function referenceOf(header: string | undefined, apiKeys: ApiKeys): Promise<KeyReference> {
  if (!header) throw new MissingApiKey()
  const apiKey = parseApiKey(header)
  const reference = apiKey && (await apiKeys.referenceOf(apiKey))
  if (!reference) throw new InvalidApiKey()
  return reference
}

async function userOf(header: string | undefined, userJwts: UserJwts): Promise<UserIdentity> {
  const [, userJwt] = header?.match(/^Bearer +(\S+) *$/i) ?? []
  if (!userJwt) {
    throw new Problem(
      'missing_user_token',
      'Send the user JWT in the header Authorization, as Bearer <USER_JWT>.',
    )
  }
  return await userJwts.verify(userJwt)
}

async function identifyToken(
  { auth }: Route,
  event: APIGatewayProxyEventV2,
  query: URLSearchParams,
  { playerTokens }: AllCallerPorts,
): Promise<IdentifiedToken> {
  const { playerToken, error } = sentPlayerToken(event, query)
  if (error) return { playerTokenError: error }
  const token = await (playerTokens as PlayerTokens).verify(playerToken)
  const { userId, productId } = token
  // With an API key, the request is about the product of the key.
  requestSubject.note(auth === 'PRODUCT' ? { userId } : { userId, productId })
  return { playerToken: token }
}

async function readPlayer(
  { auth }: Route,
  { headers }: APIGatewayProxyEventV2,
  token: Promise<IdentifiedToken>,
  { players, playerLimits }: AllCallerPorts,
): Promise<Pick<Caller, 'player'>> {
  const { playerToken } = await token
  if (!playerToken) return {}
  // The limits of a product include the requests with its API keys (D47, D51).
  const hasApiKey = auth === 'PRODUCT' && headers['x-api-key']
  const player = await (players as Players).get(playerToken, hasApiKey ? [] : playerLimits)
  if (!player) throw new InvalidPlayerToken('unknown_player')
  return { player }
}
