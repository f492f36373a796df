// Serves the page and, from the same origin, the game server of the other example.

import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import type { Settings } from '../game-server/typescript/player-nfts.ts'
import { gameServer } from '../game-server/typescript/server.ts'

/** The only files that are served. Nothing of the request becomes part of a file's name. */
const files: Record<string, [file: string, type: string]> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page.css': ['page.css', 'text/css'],
  '/page.js': ['page.js', 'text/javascript'],
}

/** Handles the requests of the page for itself, its files and the player's NFTs. */
export function pageServer(settings: Settings): RequestListener {
  const handleGameRequest = gameServer(settings)
  return async (request, response) => {
    const [file, type] = files[request.url ?? ''] ?? []
    if (!file || !type) return await handleGameRequest(request, response)
    const text = await readFile(new URL(file, import.meta.url), 'utf8')
    const headers = { 'content-type': type, 'x-content-type-options': 'nosniff' }
    const { SERVICE_URL = 'http://127.0.0.1:3000' } = settings
    response.writeHead(200, headers).end(text.replaceAll('http://127.0.0.1:3000', SERVICE_URL))
  }
}
