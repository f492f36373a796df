import { globSync, readFileSync } from 'node:fs'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FaultProxyOptions } from '../support/proxies/fault-proxy.ts'
import type { AllowedNft } from '../support/requests/allowlists.ts'
import { type Player, sharedService } from '../support/services/service.ts'
import {
  describeGameServers,
  keySetPath,
  nftsPath,
  noNfts,
  problem,
  productId,
  type RunningGame,
  signInAgain,
  startGame,
  tryLater,
} from './running-game.ts'
import { newSigner, type Signer, spoiledTokens } from './spoiled-tokens.ts'

const service = sharedService()

describeGameServers((server, shared) => {
  let game: RunningGame
  let apiKey: string
  let player: Player
  let signer: Signer
  beforeAll(async () => {
    ;({ apiKey, player, signer } = await shared())
    game = await startGame(server, { API_KEY: apiKey, PRODUCT_ID: productId })
  })
  beforeEach(() => {
    game.onRequest = undefined
  })

  /** What the service answers to a request with pages of 100 NFTs. */
  async function page(path: string) {
    const headers = { 'x-api-key': apiKey, 'x-player-token': player.playerToken }
    const url = `${service.url}${path}${path.includes('?') ? '&' : '?'}limit=100`
    const response = await fetch(url, { headers })
    return { status: response.status, body: await response.text() }
  }
  /** Answers requests for NFTs one after the other with these, and further requests as the service does. */
  const failFirst = (...failures: ReturnType<typeof problem>[]) => {
    game.onRequest = ({ action }) => (action === nftsPath ? failures.shift() : undefined)
  }

  test('returns who the player is, and all pages of the player’s NFTs', async () => {
    const { playerToken, userId } = player
    game.onRequest = ({ action, path }) => (action === nftsPath ? page(path) : undefined)
    const { status, headers, json } = await game.ask(playerToken)
    expect({ status, userId: json.userId }).toEqual({ status: 200, userId: `${userId}` })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    const whole = await service.call('GET /player/tokens', { apiKey, playerToken })
    expect(json.nfts.length).toBeGreaterThan(200)
    expect(inOrder(json.nfts)).toEqual(inOrder(whole.json.data))
  })

  test('waits for Retry-After at 429 and 503, and then returns the NFTs', async () => {
    const now = { 'retry-after': '0' }
    failFirst(problem(429, 'rate_limited', now), problem(503, 'indexer_unavailable', now))
    const count = await game.counted(nftsPath, async () => {
      expect(await game.ask(player.playerToken)).toMatchObject({ status: 200 })
    })
    expect(count).toBe(3)
  })

  test('waits for a throttling API Gateway, which sends no Retry-After and no code', async () => {
    failFirst({ status: 429, body: { message: 'Too Many Requests' } })
    expect(await game.ask(player.playerToken)).toMatchObject({ status: 200 })
  })

  const page503 = { 'content-type': 'text/html', 'retry-after': '0' }
  test.each([
    ['after three attempts', problem(503, 'service_unavailable', { 'retry-after': '0' }), 3, '0'],
    [
      'at once if it would wait long',
      problem(429, 'rate_limited', { 'retry-after': '3600' }),
      1,
      '3600',
    ],
    ['also if the answer is no JSON', { status: 503, headers: page503, body: '<p>' }, 3, '0'],
  ] as const)('tells the game to try again later, %s', async (_, failure, requests, seconds) => {
    game.onRequest = ({ action }) => (action === nftsPath ? failure : undefined)
    const count = await game.counted(nftsPath, async () => {
      const answer = await game.ask(player.playerToken)
      expect(answer).toMatchObject(tryLater)
      expect(answer.headers.get('retry-after')).toBe(seconds)
    })
    expect(count).toBe(requests)
  })

  test('tells the game to try again later while the service is not reached', async () => {
    game.onRequest = ({ action }) => (action === nftsPath ? 'drop' : undefined)
    expect(await game.ask(player.playerToken)).toMatchObject(tryLater)
  })

  test('tells the game to try again later if the answer breaks off', async () => {
    const headers = {
      'content-type': 'application/json',
      'content-length': '1000',
      connection: 'close',
    }
    game.onRequest = ({ action }) =>
      action === nftsPath ? { status: 200, headers, body: '{"data":[' } : undefined
    expect(await game.ask(player.playerToken)).toMatchObject(tryLater)
  })

  test('begins a list again when its cursor has expired, once', async () => {
    const { playerToken } = player
    const expire = (times: number): FaultProxyOptions['onRequest'] => {
      let left = times
      return ({ action, path }) => {
        if (action !== nftsPath) return undefined
        if (!/cursor=./.test(path) || left === 0) return page(path)
        left -= 1
        return problem(400, 'cursor_expired')
      }
    }
    const { data } = (await service.call('GET /player/tokens', { apiKey, playerToken })).json
    game.onRequest = expire(1)
    const { status, json } = await game.ask(playerToken)
    expect({ status, count: json.nfts?.length }).toEqual({ status: 200, count: data.length })
    game.onRequest = expire(2)
    expect(await game.ask(playerToken)).toMatchObject(tryLater)
  })

  test('tells a game without a valid player token to sign in again', async () => {
    const count = await game.counted(nftsPath, async () => {
      for (const token of [undefined, '', 'no.such.token', 'ñ', await service.userJwt()]) {
        expect(await game.ask(token)).toMatchObject(signInAgain)
      }
    })
    expect(count).toBe(0)
    // The service knows more than a signature says.
    for (const code of ['invalid_player_token', 'player_token_expired']) {
      failFirst(problem(401, code))
      expect(await game.ask(player.playerToken)).toMatchObject(signInAgain)
    }
  })

  test('D52: refuses a player token for the game of another product', async () => {
    const forProduct = async (id: string): Promise<string> => {
      const sent = { userJwt: await service.userJwt({ userId: 7 }), query: { productId: id } }
      return (await service.call('GET /player/token', sent)).json.data.token
    }
    game.onRequest = ({ action }) => (action === nftsPath ? noNfts : undefined)
    const answer = { status: 200, json: { userId: '7', nfts: [] } }
    expect(await game.ask(await forProduct(productId))).toMatchObject(answer)
    const elsewhere = await forProduct(productId.replace('0', '1'))
    expect(await game.ask(elsewhere)).toMatchObject(signInAgain)
  })

  test('hides its own failures from the game, and logs them without credentials', async () => {
    failFirst(problem(401, 'invalid_api_key'))
    const answer = { status: 502, json: { error: 'failed' } }
    expect(await game.ask(player.playerToken)).toMatchObject(answer)
    await expect.poll(game.log).toContain('invalid_api_key')
    expect(game.log()).toContain('request-1')
    expect(game.log()).not.toContain(apiKey)
    expect(game.log()).not.toContain(player.playerToken.split('.')[2])
  })

  test('has no other paths', async () => {
    expect((await fetch(`${game.url}/`)).status).toBe(404)
    expect((await fetch(`${game.url}/nfts/1`)).status).toBe(404)
  })

  const startWithoutNfts = async (variables: Record<string, string> = {}) => {
    const game = await startGame(server, { API_KEY: apiKey, ...variables })
    game.onRequest = ({ action }) => (action === nftsPath ? noNfts : undefined)
    return game
  }

  describe('given a token that is like a player token', () => {
    let strict: RunningGame
    beforeAll(async () => {
      strict = await startWithoutNfts({ PRODUCT_ID: productId.toUpperCase() })
      strict.published = [signer]
    })

    test.skipIf(server.asksService)('accepts it with everything right', async () => {
      const answer = { status: 200, json: { userId: '9007199254740991', nfts: [] } }
      expect(await strict.ask(await signer.sign({}))).toMatchObject(answer)
      expect(await strict.ask(await signer.sign({ client_id: productId }))).toMatchObject(answer)
    })

    test.each(spoiledTokens)('refuses it with %s', async (_, spoil) => {
      expect(await strict.ask(await spoil(signer))).toMatchObject(signInAgain)
    })
  })

  describe.skipIf(server.asksService)('with the published keys', () => {
    test('verifies tokens without a request, and reads the keys once for all unknown ones', async () => {
      const { playerToken } = player
      const game = await startWithoutNfts()
      const read = (work: () => Promise<unknown>) => game.counted(keySetPath, work)
      expect(await read(() => game.ask(playerToken))).toBe(1)
      expect(await read(() => game.ask(playerToken))).toBe(0)
      const unknown = await newSigner()
      const statuses: number[] = []
      const count = await read(async () => {
        for (let attempt = 0; attempt < 20; attempt += 1) {
          statuses.push((await game.ask(await unknown.sign({}))).status)
        }
      })
      expect(count).toBe(server.readsAtOnce === false ? 0 : 1)
      expect(statuses.filter((status) => status !== 401 && status !== 503)).toEqual([])
      expect(await game.ask(playerToken)).toMatchObject({ status: 200 })
    })

    test('accepts a key that is published later', async () => {
      const { playerToken } = player
      const game = await startWithoutNfts({ KEY_SET_COOLDOWN_SECONDS: '1' })
      expect(await game.ask(playerToken)).toMatchObject({ status: 200 })
      const next = await newSigner()
      game.published = [next]
      const status = async () => (await game.ask(await next.sign({}))).status
      await expect.poll(status).toBe(200)
      expect(await game.ask(playerToken)).toMatchObject({ status: 200 })
    })

    test('tells the game to try again later while the keys cannot be read', async () => {
      const { playerToken } = player
      const game = await startWithoutNfts({ KEY_SET_COOLDOWN_SECONDS: '1' })
      const { onRequest } = game
      game.onRequest = ({ action }) =>
        action === keySetPath ? problem(503, 'service_unavailable') : noNfts
      expect(await game.ask(playerToken)).toMatchObject(tryLater)
      game.onRequest = onRequest
      const status = async () => (await game.ask(playerToken)).status
      await expect.poll(status).toBe(200)
    })
  })
})

test('the game servers have files of at most 100 lines, in each language', () => {
  const files = globSync('examples/game-server/*/{,src/**/}*.{ts,go,py,java,cs,rs}')
  expect(files.length).toBeGreaterThan(15)
  const lines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n').length
  expect(files.filter((file) => lines(file) > 100)).toEqual([])
})

/** Pages are not in the order of a complete list (4.8). */
const inOrder = (nfts: AllowedNft[]) => nfts.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)))
const nameOf = ({ chain, address, tokenId }: AllowedNft) => `${chain} ${address} ${tokenId}`
