import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { FieldError } from '../contract/problems.ts'
import type { Route } from '../contract/route.ts'
import { InvalidPlayerToken } from '../domain/failures.ts'
import type { Player } from '../domain/player.ts'
import type { ApiKeys, Players, PlayerTokens, UserIdentity, UserJwts } from '../domain/ports.ts'
import { type ProductId, parseApiKey } from '../domain/product.ts'
import { Problem } from './problem.ts'
import { sentPlayerToken } from './sent-player-token.ts'

/** The caller of a request, as far as the route needs it. */
export interface Caller {
  productId?: ProductId
  user?: UserIdentity
  player?: Player
  /** The fault of a player token that is missing or sent twice; reported with the faults of the input (D3, D23). */
  playerTokenError?: FieldError
}

/** The ports of all routes that identify a caller; CallerPorts types the ports of one route. */
export interface AllCallerPorts {
  apiKeys?: ApiKeys
  userJwts?: UserJwts
  playerTokens?: PlayerTokens
  players?: Players
}

/**
 * Identifies the caller. A fault of the API key or user JWT comes before a fault of the player token
 * (D3); both are looked up at the same time. Throws a Problem or a Failure.
 */
export async function identifyCaller(
  route: Route,
  event: APIGatewayProxyEventV2,
  query: URLSearchParams,
  ports: AllCallerPorts,
): Promise<Caller> {
  const credential = identifyByCredential(route, event, ports)
  const player = route.player ? identifyPlayer(event, query, ports) : undefined
  // When the credential fails, nothing awaits the player.
  player?.catch(() => undefined)
  return { ...(await credential), ...(await player) }
}

async function identifyByCredential(
  route: Route,
  event: APIGatewayProxyEventV2,
  { apiKeys, userJwts }: AllCallerPorts,
): Promise<Caller> {
  if (route.auth === 'PRODUCT') {
    return { productId: await productOf(event.headers['x-api-key'], apiKeys as ApiKeys) }
  }
  if (route.auth === 'USER') {
    return { user: await userOf(event.headers['authorization'], userJwts as UserJwts) }
  }
  return {}
}

async function productOf(header: string | undefined, apiKeys: ApiKeys): Promise<ProductId> {
  if (!header) {
    throw new Problem('missing_api_key', 'Send the product API key in the header X-Api-Key.')
  }
  const apiKey = parseApiKey(header)
  const productId = apiKey && (await apiKeys.productOf(apiKey))
  if (!productId) {
    throw new Problem('invalid_api_key', 'The API key in the header X-Api-Key is not known.')
  }
  return productId
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

async function identifyPlayer(
  event: APIGatewayProxyEventV2,
  query: URLSearchParams,
  { playerTokens, players }: AllCallerPorts,
): Promise<Caller> {
  const { playerToken, error } = sentPlayerToken(event, query)
  if (error) return { playerTokenError: error }
  const userId = await (playerTokens as PlayerTokens).verify(playerToken)
  const player = await (players as Players).get(userId)
  if (!player) throw new InvalidPlayerToken('unknown_player')
  return { player }
}
