import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { HttpError, queryOf } from './http.ts'
import { get, put } from './table.ts'
import { verifyPlayerToken } from './tokens.ts'

export interface Player {
  userId: string
  username: string
  wallets: string[]
}

export async function record({ userId, username, wallets }: Player): Promise<void> {
  await put({ pk: `PLAYER#${userId}`, sk: 'PROFILE', userId, username, wallets })
}

/** The player whose token a request carries. */
export async function playerOf(event: APIGatewayProxyEventV2): Promise<Player> {
  const { sub } = await verifyPlayerToken(queryOf(event)['playerToken'] ?? '')
  const player = await get(`PLAYER#${sub}`, 'PROFILE')
  if (!player) throw new HttpError(401, 'The player is not known.')
  return player as unknown as Player
}
