// Reads a player's NFTs from the service. It needs nothing but Node's own fetch.

import { setTimeout as sleep } from 'node:timers/promises'

/** An NFT that lies in a wallet of the player and on the allowlist of this game. */
export interface PlayerNft {
  /** Decimal text of up to 78 digits. Never convert it to a number, which would lose digits. */
  tokenId: string
  address: string
  chain: string
  owner: string
  balance: string
  formattedMetadata: {
    name: string
    description: string
    /** The text of a stranger: check the scheme before you show the image. */
    image: string | null
    attributes: { name: string; value: string }[]
  }
}

/** A request that the service refused or could not carry out. */
export class ServiceError extends Error {
  readonly status: number
  /** A stable word, such as `player_token_expired`; absent if API Gateway sent the response. */
  readonly code: string | undefined

  constructor(status: number, problem: { code?: string; detail?: string; requestId?: string }) {
    super(`HTTP ${status}: ${problem.detail ?? 'no detail'} (request ${problem.requestId ?? '?'})`)
    this.status = status
    this.code = problem.code
  }

  /** Whether the same request may succeed later: the service is unavailable or throttles. */
  get isTemporary(): boolean {
    return this.status === 503 || this.status === 429
  }
}

export interface Service {
  /** Where the service is, such as `http://127.0.0.1:3000`. */
  url: string
  /** The API key of this game. It stays on the server: never ship it in a game. */
  apiKey: string
}

/**
 * Returns all of the player's allowlisted NFTs. Throws a {@link ServiceError}, also when the service stays
 * unavailable, and a `TimeoutError` after 60 seconds. It never returns a part of the list.
 */
export async function playerNfts(service: Service, playerToken: string): Promise<PlayerNft[]> {
  const signal = AbortSignal.timeout(60_000)
  try {
    return await readAllPages(service, playerToken, signal)
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'cursor_expired')) throw error
    // The player's wallets or the allowlist changed between two pages: start again, once.
    return await readAllPages(service, playerToken, signal)
  }
}

async function readAllPages(
  service: Service,
  playerToken: string,
  signal: AbortSignal,
): Promise<PlayerNft[]> {
  const nfts: PlayerNft[] = []
  let cursor: string | undefined
  do {
    const url = new URL('/api/public/v1/player/tokens', service.url)
    if (cursor) url.searchParams.set('cursor', cursor)
    // In a header the player token stays out of the logs that URLs end up in.
    const headers = { 'x-api-key': service.apiKey, 'x-player-token': playerToken }
    const page = await getJson<{ data: PlayerNft[]; nextCursor?: string }>(url, headers, signal)
    nfts.push(...page.data)
    // A page may be short or even empty and still not be the last one: only the cursor tells.
    cursor = page.nextCursor
  } while (cursor)
  return nfts
}

const attempts = 3

async function getJson<Body>(
  url: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Body> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, { headers, signal })
    if (response.ok) return (await response.json()) as Body
    const error = new ServiceError(response.status, await readProblem(response))
    if (!error.isTemporary || attempt === attempts) throw error
    // Retry-After is in seconds. API Gateway sends none when it throttles.
    const seconds = Number(response.headers.get('retry-after') ?? attempt)
    await sleep(seconds * 1_000, undefined, { signal })
  }
}

/** Only problem details have a `code`; responses of API Gateway and of proxies have other forms. */
async function readProblem(response: Response) {
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  return type.startsWith('application/problem+json') ? JSON.parse(text) : {}
}
