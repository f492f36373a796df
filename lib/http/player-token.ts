import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { nearMissesOf } from '../contract/near-misses.ts'
import type { FieldError } from '../contract/problem-details.ts'
import type { Route } from '../contract/route.ts'
import { InvalidPlayerToken } from '../domain/credential-failures.ts'
import type { Limit } from '../domain/limit/limit.ts'
import type { Player } from '../domain/player/player.ts'
import { claimedKeyName, jwtKind } from '../domain/player/player-token.ts'
import type { Players, PlayerTokens, VerifiedPlayerToken } from '../domain/ports/players.ts'
import type { ProblemCode } from '../domain/problems.ts'
import { requestSubject } from '../observability/request-subject.ts'
import { bearerToken } from './bearer-token.ts'

export interface PlayerPorts {
  playerTokens: PlayerTokens
  players: Players
  /** The limits of the player of a request (D47). */
  playerLimits: readonly Limit[]
}

/** A verified player token, or the fault of a token that is missing or was sent twice (D23). */
type IdentifiedToken =
  | { playerToken: VerifiedPlayerToken; fault?: undefined }
  | { playerToken?: undefined; fault: FieldError }

/** Verifies the player token of a request, and notes whom it is about. Throws the failures of {@link PlayerTokens}. */
export async function identifyToken(
  { auth }: Route,
  event: APIGatewayProxyEventV2,
  query: URLSearchParams,
  { playerTokens }: PlayerPorts,
): Promise<IdentifiedToken> {
  const { text, fault } = sentPlayerToken(event, query)
  if (fault) return { fault }
  const playerToken = await playerTokens.verify(text)
  const { userId, productId } = playerToken
  // With an API key, the request is about the product of the key.
  requestSubject.note(auth === 'PRODUCT' ? { userId } : { userId, productId })
  return { playerToken }
}

/** Reads the player of a player token. Throws InvalidPlayerToken if nobody is stored, and RateLimited. */
export async function readPlayer(
  { auth }: Route,
  { headers }: APIGatewayProxyEventV2,
  token: Promise<IdentifiedToken>,
  { players, playerLimits }: PlayerPorts,
): Promise<Player | undefined> {
  const { playerToken } = await token
  if (!playerToken) return undefined
  // The limits of a product include the requests with its API keys (D47, D51).
  const hasApiKey = auth === 'PRODUCT' && headers['x-api-key']
  const player = await players.get(playerToken, hasApiKey ? [] : playerLimits)
  if (!player) throw new InvalidPlayerToken('unknown_player')
  return player
}

type SentPlayerToken = { text: string; fault?: undefined } | { text?: undefined; fault: FieldError }

/** Takes the player token, unverified, from the query or the header, else from Authorization (RFC 6750; D23, D142). */
function sentPlayerToken(
  { headers }: APIGatewayProxyEventV2,
  query: URLSearchParams,
): SentPlayerToken {
  const inQuery = query.getAll('playerToken')
  const sent = inQuery.concat(headers['x-player-token'] ?? []).filter((text) => text !== '')
  const [text] = sent
  if (!text) {
    const bearer = bearerToken(headers) ?? ''
    const kind = jwtKind(bearer)
    return kind === 'player_token' ? { text: bearer } : { fault: missing(kind, query) }
  }
  if (inQuery.length > 1)
    return { fault: because(`was sent ${inQuery.length} times; send it once`) }
  if (sent.some((other) => other !== text)) {
    return { fault: because('differs from the header X-Player-Token') }
  }
  return { text }
}

const because = (message: string): FieldError => ({ in: 'query', path: 'playerToken', message })

const nearMisses = nearMissesOf(['playerToken'])

/** Says where the player token belongs and, if it recognises a token elsewhere, what that token is. */
function missing(bearer: 'other_jwt' | undefined, query: URLSearchParams): FieldError {
  for (const [path, text] of query) {
    if (text === '' || !nearMisses(path)) continue
    const message = 'is not a parameter of this operation; use playerToken'
    return { in: 'query', path, message }
  }
  return because(`is required: ${advice[bearer ?? 'nothing']}`)
}

const places = 'in the header X-Player-Token or in the parameter playerToken'

const advice = {
  nothing: `send the player token ${places}`,
  other_jwt: `the header Authorization has a user JWT or another JWT; create a player token with GET /api/public/v1/player/token, and send it ${places}`,
}

/** The `kid` of the token that a problem refuses, which is not verified; `undefined` if it refuses no token (D80). */
export function refusedKid(code: ProblemCode, event: APIGatewayProxyEventV2): string | undefined {
  if (code === 'invalid_user_token') return claimedKeyName(bearerToken(event.headers) ?? '')
  if (code !== 'invalid_player_token' && code !== 'player_token_expired') return undefined
  return claimedKeyName(
    sentPlayerToken(event, new URLSearchParams(event.rawQueryString)).text ?? '',
  )
}
