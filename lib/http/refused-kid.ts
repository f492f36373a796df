import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { claimedKeyName } from '../domain/player/jwt-header.ts'
import type { ProblemCode } from '../domain/problems.ts'
import { bearerToken } from './bearer-token.ts'
import { sentPlayerToken } from './player-token.ts'

/** The `kid` of the token that a problem refuses, which is not verified; `undefined` if it refuses no token (D80). */
export function refusedKid(code: ProblemCode, event: APIGatewayProxyEventV2): string | undefined {
  if (code === 'invalid_user_token') return claimedKeyName(bearerToken(event.headers) ?? '')
  if (code !== 'invalid_player_token' && code !== 'player_token_expired') return undefined
  return claimedKeyName(
    sentPlayerToken(event, new URLSearchParams(event.rawQueryString)).text ?? '',
  )
}
