import { globSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { gameServer } from '../../examples/game-server/typescript/server.ts'
import { samples } from '../../local/samples/samples.ts'
import { type FaultProxyOptions, startFaultProxy } from '../support/proxies/fault-proxy.ts'
import { type AllowedNft, allowlist } from '../support/requests/allowlists.ts'
import { serve } from '../support/services/http-server.ts'
import { sharedService } from '../support/services/service.ts'

const service = sharedService()
const { keepers, vessels } = samples.collections
const nftsPath = 'GET /api/public/v1/player/tokens'

let apiKey: string
let playerToken: string
let userId: number
beforeAll(async () => {
  apiKey = await service.newProduct()
  for (const { chain, address: contractAddress, tokenIds: tokens } of [keepers, vessels]) {
    await allowlist(service.call, apiKey, { chain, contractAddress, tokens })
  }
  const player = await service.newPlayer(samples.players.largeWallet.wallets)
  ;({ playerToken, userId } = player)
})

/** The game server with the shared service; `faults` replace NFTs that the service responds with. */
async function startGameServer(faults: Pick<FaultProxyOptions, 'onRequest'> = {}, key = apiKey) {
  const proxy = await startFaultProxy({
    target: service.url,
    onRequest: (request) => (request.action === nftsPath ? faults.onRequest?.(request) : undefined),
  })
  const url = await serve(gameServer({ SERVICE_URL: proxy.url, API_KEY: key }))
  const nfts = async (token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const response = await fetch(`${url}/nfts`, { headers })
    // biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON
    const json: any = await response.json()
    return { status: response.status, headers: response.headers, json }
  }
  return { proxy, url, nfts }
}

/** The URL of the request that the proxy received, with pages of `limit` entries. */
async function page(path: string, limit: number) {
  const response = await fetch(
    `${service.url}${path.includes('?') ? `${path}&` : `${path}?`}limit=${limit}`,
    {
      headers: { 'x-api-key': apiKey, 'x-player-token': playerToken },
    },
  )
  return { status: response.status, body: await response.text() }
}

const problem = (status: number, code: string, headers = {}) => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: { success: false, status, code, detail: 'A detail.', requestId: 'r1' },
})

describe('examples/game-server', () => {
  test('returns the user id and all pages of the player’s allowlisted NFTs', async () => {
    const limit = 100
    const { proxy, nfts } = await startGameServer({ onRequest: ({ path }) => page(path, limit) })
    const { status, headers, json } = await nfts(playerToken)
    expect({ status, userId: json.userId }).toEqual({ status: 200, userId: `${userId}` })
    expect(headers.get('cache-control')).toBe('no-store')
    const whole = await service.call('GET /player/tokens', { apiKey, playerToken })
    expect(json.nfts.length).toBeGreaterThan(2 * limit)
    const name = ({ chain, address, tokenId }: AllowedNft) => `${chain} ${address} ${tokenId}`
    expect(json.nfts.map(name).sort()).toEqual(whole.json.data.map(name).sort())
    expect(json.nfts[0].formattedMetadata.name).toEqual(expect.any(String))
    expect(proxy.count(nftsPath)).toBeGreaterThan(2)
  })

  test('waits for the time in Retry-After while the service is unavailable', async () => {
    const { proxy, nfts } = await startGameServer({
      onRequest: ({ index }) =>
        index === 0 ? problem(503, 'indexer_unavailable', { 'retry-after': '0' }) : undefined,
    })
    expect((await nfts(playerToken)).status).toBe(200)
    expect(proxy.count(nftsPath)).toBe(2)
  })

  test('returns an error after three attempts, so that the client can try again later', async () => {
    const { proxy, nfts } = await startGameServer({
      onRequest: () => problem(503, 'service_unavailable', { 'retry-after': '0' }),
    })
    vi.spyOn(console, 'error').mockReturnValueOnce()
    expect(await nfts(playerToken)).toMatchObject({
      status: 503,
      json: { error: 'try_again_later' },
    })
    expect(proxy.count(nftsPath)).toBe(3)
  })

  test('restarts once when the cursor expires', async () => {
    const expiresAt = [1]
    const { proxy, nfts } = await startGameServer({
      onRequest: ({ path, index }) =>
        expiresAt.includes(index) ? problem(400, 'cursor_expired') : page(path, 200),
    })
    const { status, json } = await nfts(playerToken)
    expect(status).toBe(200)
    const { length } = (await service.call('GET /player/tokens', { apiKey, playerToken })).json.data
    expect(json.nfts).toHaveLength(length)
    expiresAt.push(...[1, 2, 3].map((more) => proxy.count(nftsPath) + more))
    vi.spyOn(console, 'error').mockReturnValueOnce()
    expect(await nfts(playerToken)).toMatchObject({ status: 503 })
  })

  test('tells a client without a valid player token to sign in again', async () => {
    const { proxy, nfts } = await startGameServer()
    const answer = { status: 401, json: { error: 'sign_in_again' } }
    expect(await nfts()).toMatchObject(answer)
    expect(proxy.requests).toEqual([])
    expect(await nfts('no.such.token')).toMatchObject(answer)
    expect(await nfts(await service.userJwt())).toMatchObject(answer)
  })

  test('logs its own errors with the identifier of the request, and hides them from the client', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValueOnce()
    const { nfts } = await startGameServer({}, crypto.randomUUID())
    expect(await nfts(playerToken)).toMatchObject({ status: 502, json: { error: 'failed' } })
    const [[word, cause] = []] = log.mock.calls
    expect(word).toBe('failed')
    expect(cause).toMatch(/^HTTP 401 invalid_api_key: .* \(request [^?]+\)$/)
  })

  test('has no other paths', async () => {
    const { url } = await startGameServer()
    expect((await fetch(url)).status).toBe(404)
    expect((await fetch(`${url}/nfts`, { method: 'POST' })).status).toBe(404)
  })

  test('has files of at most 100 lines, in each language', () => {
    const files = globSync('examples/game-server/*/{,src/**/}*.{ts,go,py,java,cs,rs}')
    expect(files.length).toBeGreaterThan(15)
    const lines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n').length
    expect(files.filter((file) => lines(file) > 100)).toEqual([])
  })
})
