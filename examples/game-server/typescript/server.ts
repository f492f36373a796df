// A game's own server: the game sends a player token and gets the player's NFTs. The API key never leaves the server.

import { createServer, type RequestListener } from 'node:http'
import { failure, playerNfts, type Settings } from './player-nfts.ts'
import { playerTokenVerifier } from './player-token.ts'

/** Answers `GET /nfts` with `Authorization: Bearer <player token>`. */
export function gameServer(settings: Settings): RequestListener {
  const verify = playerTokenVerifier(settings)
  return async ({ method, url, headers: { authorization = '' } }, response) => {
    const answer = (status: number, body: object, retryAfter?: number) => {
      // The list belongs to one player: no cache may keep it.
      const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
      if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
      response.writeHead(status, headers).end(JSON.stringify(body))
    }
    if (method !== 'GET' || url !== '/nfts') return answer(404, { error: 'not_found' })
    try {
      const playerToken = authorization.replace(/^Bearer +/i, '')
      const userId = await verify(playerToken)
      answer(200, { userId, nfts: await playerNfts(settings, playerToken) })
    } catch (error) {
      const known = 'status' in Object(error) ? error : failure(502, 'failed', error)
      const { status, message, cause, retryAfter } = known as ReturnType<typeof failure>
      if (status !== 401) console.error(message, cause)
      answer(status, { error: message }, retryAfter)
    }
  }
}

if (import.meta.main) {
  if (!process.env['API_KEY']) throw new Error('Set API_KEY to an API key of your product.')
  const server = createServer(gameServer(process.env))
  server.listen(Number(process.env['PORT'] ?? 8080), '127.0.0.1', () => {
    const { port } = Object(server.address())
    console.log(`The game server runs at http://127.0.0.1:${port}`)
  })
}
