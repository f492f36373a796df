// The game's own server. Its client sends the player token; the API key never leaves this process.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { playerNfts, type Service, ServiceError } from './player-nfts.ts'

/** Handles the requests of the game's clients: `GET /nfts`, `Authorization: Bearer <player token>`. */
export function gameServer(service: Service) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body } = await respond(service, request)
    // The list belongs to one player: no cache may keep it.
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
    response.writeHead(status, headers).end(JSON.stringify(body))
  }
}

async function respond(service: Service, { method, url, headers }: IncomingMessage) {
  if (method !== 'GET' || url !== '/nfts') return { status: 404, body: { error: 'not_found' } }
  const [, playerToken] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (!playerToken) return { status: 401, body: { error: 'sign_in_again' } }
  try {
    return { status: 200, body: { nfts: await playerNfts(service, playerToken) } }
  } catch (error) {
    return failure(error)
  }
}

/** Tells the client what it can do about a failure. Details are for the log of the server alone. */
function failure(error: unknown) {
  if (error instanceof ServiceError) {
    if (error.isTemporary) return { status: 503, body: { error: 'try_again_later' } }
    switch (error.code) {
      case 'invalid_player_token':
      case 'player_token_expired':
        return { status: 401, body: { error: 'sign_in_again' } }
    }
  }
  // For example a wrong API key. Codes that are added later end here too.
  console.error(error)
  return { status: 502, body: { error: 'failed' } }
}
