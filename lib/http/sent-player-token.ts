import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { nearMissesOf } from '../contract/near-misses.ts'
import type { FieldError } from '../contract/problems.ts'
import { jwtKind } from '../domain/player/jwt-kind.ts'

/** The player token of a request, or the fault of a token that is missing or was sent twice (D23). */
export type SentPlayerToken =
  | { playerToken: string; error?: undefined }
  | { playerToken?: undefined; error: FieldError }

/** Takes the player token from the query or the header, without verifying it (D23). */
export function sentPlayerToken(
  { headers }: APIGatewayProxyEventV2,
  query: URLSearchParams,
): SentPlayerToken {
  const inQuery = query.getAll('playerToken')
  const sent = inQuery.concat(headers['x-player-token'] ?? []).filter((text) => text !== '')
  const [playerToken] = sent
  if (!playerToken) return { error: missing(headers['authorization'], query) }
  if (inQuery.length > 1) return { error: fault(`was sent ${inQuery.length} times; send it once`) }
  if (sent.some((other) => other !== playerToken)) {
    return { error: fault('differs from the header X-Player-Token') }
  }
  return { playerToken }
}

const fault = (message: string): FieldError => ({ in: 'query', path: 'playerToken', message })

const nearMisses = nearMissesOf(['playerToken'])

/** Says where the player token belongs and, if it recognises a token elsewhere, what that token is. */
function missing(authorization: string | undefined, query: URLSearchParams): FieldError {
  for (const [path, text] of query) {
    if (text === '' || !nearMisses(path)) continue
    const message = 'is not a parameter of this operation; use playerToken'
    return { in: 'query', path, message }
  }
  const [, bearer = ''] = authorization?.match(/^Bearer +(\S+) *$/i) ?? []
  return fault(`is required: ${advice[jwtKind(bearer) ?? 'nothing']}`)
}

const places = 'in the header X-Player-Token or in the parameter playerToken'

const advice = {
  nothing: `send the player token ${places}`,
  player_token: `the header Authorization has a player token; send it ${places} instead`,
  other_jwt: `the header Authorization has a user JWT or another JWT; create a player token with GET /api/public/v1/player/token, and send it ${places}`,
}
