import { beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import type { ProductId } from '../../lib/domain/product/product.ts'
import type { KnownCaller } from '../../lib/http/caller.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import {
  accepted,
  callers,
  capturedLog,
  goodApiKey,
  goodPlayerToken,
  invoke,
  keeping,
  kept,
} from '../support/memory/http-chain.ts'
import { productId as own, productId } from '../support/memory/owned-nfts.ts'
import { newKeyPair, signJwt } from '../support/tokens/jwts.ts'

const operations = {
  getStructuredMetadata: keeping('getStructuredMetadata'),
  getPlayerDetails: keeping('getPlayerDetails'),
}

let log: ReturnType<typeof capturedLog>

beforeEach(() => {
  log = capturedLog()
})

const { privateKey } = newKeyPair()

const jwtOf = (typ: string) =>
  signJwt(privateKey, { sub: '1002' }, { alg: 'ES256', typ, kid: 'bearer-key' })

const [playerToken, userJwt] = [jwtOf('player+jwt'), jwtOf('JWT')]

const places = 'in the header X-Player-Token or in the parameter playerToken'

const nothing = `is required: send the player token ${places}`

const notExchanged = `is required: the header Authorization has a user JWT or another JWT; create a player token with GET /api/public/v1/player/token, and send it ${places}`

describe('D23: the player token', () => {
  const ask = (query: string, header?: string) =>
    invoke(keeping('getRawMetadata'), {
      query,
      headers: {
        'x-api-key': goodApiKey,
        ...(header !== undefined && { 'x-player-token': header }),
      },
    })

  test.each([
    ['in both', `playerToken=${goodPlayerToken}`, goodPlayerToken],
    ['in the header, with an empty parameter', 'playerToken=', goodPlayerToken],
  ])('D23: %s', async (_, query, header) => {
    expect((await ask(query, header)).statusCode).toBe(200)
    expect(kept.input?.['player']).toMatchObject({ userId: 42 })
    expect(kept.input?.['query']).toEqual({})
  })

  test.each([
    ['empty', 'playerToken=', '', nothing],
    [
      'different',
      `playerToken=${goodPlayerToken}`,
      'other',
      'differs from the header X-Player-Token',
    ],
    [
      'repeated',
      `playerToken=${goodPlayerToken}&playerToken=${goodPlayerToken}`,
      undefined,
      'was sent 2 times; send it once',
    ],
  ])(
    'D23: %s is 400, together with the other invalid fields',
    async (_, query, header, message) => {
      const { statusCode, json } = await ask(`${query}&limit=0`, header)
      expect(statusCode).toBe(400)
      expect(json.errors).toEqual([
        { in: 'query', path: 'playerToken', message },
        { in: 'query', path: 'limit', message: 'must be a whole number from 1 to 1000' },
      ])
    },
  )
})

describe.each(Object.entries(operations))('D23: %s without a player token', (_, handler) => {
  const ask = async (authorization?: string, query = '') => {
    const headers = { 'x-api-key': goodApiKey, ...(authorization && { authorization }) }
    const { statusCode, json, body } = await invoke(handler, { headers, query })
    expect([statusCode, json.code]).toEqual([400, 'invalid_request'])
    for (const token of [playerToken, userJwt]) expect(body).not.toContain(token)
    return json
  }

  test.each([
    ['no Authorization', undefined, nothing],
    ['another scheme', 'Basic dXNlcjpwYXNz', nothing],
    ['text that is not a JWT', 'Bearer 2f7b9a54-3a0e-4b1c-9d57-5d0c7a1f6e21', nothing],
    ['three parts that are not a JWT', 'Bearer a.b.c', nothing],
    ['a JSON header that is not an object', 'Bearer bnVsbA.b.c', nothing],
    ['a player token of another scheme', `Basic ${playerToken}`, nothing],
    ['a user JWT', `Bearer ${userJwt}`, notExchanged],
  ])('D23: %s', async (_, authorization, message) => {
    const { errors, detail } = await ask(authorization)
    expect(errors).toEqual([{ in: 'query', path: 'playerToken', message }])
    expect(detail).toBe(`playerToken ${message}.`)
  })

  test.each(['token', 'PlayerToken', 'player_token', 'X-Player-Token', 'playerToken[]'])(
    'D34: the parameter %s is a near miss',
    async (path) => {
      const { errors } = await ask(undefined, `${path}=${playerToken}`)
      const message = 'is not a parameter of this operation; use playerToken'
      expect(errors).toEqual([{ in: 'query', path, message }])
    },
  )
})

describe.each(Object.entries(operations))('D142: %s with a bearer token', (_, handler) => {
  const ask = async (authorization: string, more: { query?: string; sent?: string } = {}) => {
    const { query = '', sent } = more
    const sentHeaders = { 'x-api-key': goodApiKey, ...(sent && { 'x-player-token': sent }) }
    const { statusCode, json } = await invoke(handler, {
      headers: { ...sentHeaders, authorization },
      query,
    })
    return [statusCode, json.code, log.at(-1)?.['kid']]
  }

  test.each(['Bearer', 'bearer  '])(
    'verifies one whose header says player+jwt: %s',
    async (scheme) => {
      const refused = [401, 'invalid_player_token', 'bearer-key']
      expect(await ask(`${scheme} ${playerToken}`)).toEqual(refused)
      expect(await ask(`${scheme} ${playerToken} `, { query: 'playerToken=' })).toEqual(refused)
    },
  )

  test('ignores it beside the header X-Player-Token or the parameter playerToken, whatever it holds', async () => {
    for (const ignored of [`Bearer ${playerToken}`, `Bearer ${userJwt}`, 'Bearer x', 'Basic x']) {
      for (const place of [{ sent: goodPlayerToken }, { query: `playerToken=${goodPlayerToken}` }])
        expect(await ask(ignored, place)).toEqual([200, undefined, undefined])
      const foreign = { sent: 'eyJraWQiOiJzZW50In0.a.b' }
      expect(await ask(ignored, foreign)).toEqual([401, 'invalid_player_token', 'sent'])
    }
  })
})

const other = 'another product' as ProductId

/** Reads with a player token for this product, or for every game, under the rule of the deployment. */
async function read(
  productId: ProductId | undefined,
  rule: 'optional' | 'required',
  apiKey?: string,
) {
  const handler = handlerOf(
    routes.getRawMetadata,
    {
      ...callers,
      playerTokens: {
        verify: async () => ({ userId: 42, issuedAt: 0, ...(productId && { productId }) }),
      },
      playerTokenProduct: rule,
    },
    async (input) => {
      expect(input).not.toHaveProperty('playerToken')
      return { data: [], asOf: 0 }
    },
  )
  const { headers, query } = accepted
  const { statusCode, json } = await invoke(handler, {
    query,
    headers: { ...headers, ...(apiKey !== undefined && { 'x-api-key': apiKey }) },
  })
  return [statusCode, json.code, json.detail]
}

const done = [200, undefined, undefined]

const otherGame = [
  401,
  'invalid_player_token',
  'The player token is for the game of another product.',
]

const noGame = [
  401,
  'invalid_player_token',
  'The player token is not for one game, as this service requires; create a player token for this product with the parameter productId of GET /api/public/v1/player/token.',
]

describe('D52: the product of a player token', () => {
  test.each([
    [undefined, 'optional', done],
    [own, 'optional', done],
    [other, 'optional', otherGame],
    [undefined, 'required', noGame],
    [own, 'required', done],
    [other, 'required', otherGame],
  ] as const)('D52: %s, where it is %s', async (productId, rule, expected) => {
    expect(await read(productId, rule)).toEqual(expected)
  })

  test('D3: the API key is checked first', async () => {
    expect((await read(other, 'required', 'x'))[1]).toBe('invalid_api_key')
    expect((await read(other, 'required', `0${goodApiKey.slice(1)}`))[1]).toBe('invalid_api_key')
  })
})

describe('beforePlayer', () => {
  /** Reads with a player token for the game of a product. The player is read until something has begun. */
  async function read(game: ProductId) {
    const { promise: known, resolve: begin } = Promise.withResolvers<KnownCaller>()
    const handler = handlerOf(
      routes.getRawMetadata,
      {
        ...callers,
        playerTokens: { verify: async () => ({ userId: 42, issuedAt: 0, productId: game }) },
        players: {
          ...callers.players,
          get: async () => ({ userId: 42, username: (await known).productId, wallets: [] }),
        },
      },
      async ({ begun }) => ({ data: [], asOf: begun }),
      {
        beforePlayer: (caller: KnownCaller) => {
          begin(caller)
          return 1_000
        },
      },
    )
    const headers = { ...accepted.headers, 'cache-control': 'max-age=5' }
    const { json } = await invoke(handler, { ...accepted, headers })
    return { json, known }
  }

  test('begins while the player is read, and its result is in the input', async () => {
    const { json, known } = await read(productId)
    expect(json.asOf).toBe('1970-01-01T00:00:01.000Z')
    expect(await known).toEqual({ productId, userId: 42, acceptedAge: { maxAgeSeconds: 5 } })
  })

  test('D52: begins nothing for a player token of another game', async () => {
    const { json, known } = await read('another product' as ProductId)
    expect(json.code).toBe('invalid_player_token')
    expect(await Promise.race([known, 'nothing'])).toBe('nothing')
  })
})
