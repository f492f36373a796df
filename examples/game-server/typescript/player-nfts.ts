import { setTimeout as sleep } from 'node:timers/promises'

/** The variables that the README lists. */
export type Settings = Record<string, string | undefined>

/** Where the service is. */
export const serviceOf = ({ SERVICE_URL = 'http://127.0.0.1:3000' }: Settings) => SERVICE_URL

/** A word for the game, with the status, and the seconds after which it can try again. */
export const failure = (status: number, word: string, cause?: unknown, retryAfter?: number) =>
  Object.assign(new Error(word, { cause }), { status, retryAfter })

/** The service is unavailable or throttles. */
export const tryLater = (cause: unknown, seconds = 5) =>
  failure(503, 'try_again_later', cause, seconds)

/** Returns all of the player's allowlisted NFTs, never a part of them. */
export async function playerNfts(settings: Settings, playerToken: string, isRepeat = false) {
  const headers = { 'x-api-key': settings['API_KEY'] ?? '', 'x-player-token': playerToken }
  const nfts: unknown[] = []
  for (let cursor = ''; ; ) {
    const url = new URL('/api/public/v1/player/tokens', serviceOf(settings))
    if (cursor) url.searchParams.set('cursor', cursor)
    const { data, nextCursor, code } = await getPage(url, headers)
    // The wallets or the allowlist changed between two pages: begin again, once.
    if (code && isRepeat) throw tryLater(code)
    if (code) return await playerNfts(settings, playerToken, true)
    nfts.push(...data)
    // A short or empty page need not be the last one: only the cursor tells.
    if (!nextCursor) return nfts
    cursor = nextCursor
  }
}

type Page = { data: unknown[] } & Record<'nextCursor' | 'code' | 'detail' | 'requestId', string>

/** The answer does not come, or breaks off. */
const unreached = (error: unknown) => Promise.reject(tryLater(error))

/** Reads a page, or that the cursor has expired. Waits twice for a service that is unavailable or throttles. */
async function getPage(url: URL, headers: Record<string, string>): Promise<Page> {
  for (let attempt = 1; ; attempt += 1) {
    const request = fetch(url, { headers, signal: AbortSignal.timeout(30_000) })
    const response = await request.catch(unreached)
    const isJson = response.headers.get('content-type')?.includes('json')
    const body = (isJson ? await response.json().catch(unreached) : {}) as Page
    if (response.ok || body.code === 'cursor_expired') return body
    const problem = `HTTP ${response.status} ${body.code}: ${body.detail} (request ${body.requestId})`
    if (/^(invalid_player_token|player_token_expired)$/.test(body.code))
      throw failure(401, 'sign_in_again', problem)
    if (![429, 503].includes(response.status)) throw failure(502, 'failed', problem)
    // API Gateway sends no Retry-After when it throttles.
    const seconds = Number(response.headers.get('retry-after') ?? attempt)
    if (attempt === 3 || seconds > 10) throw tryLater(problem, seconds)
    await sleep(seconds * 1_000)
  }
}
