import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { samples } from '../../local/samples/samples.ts'
import { tableOf } from '../support/aws/table.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { expectProblem, pathsOf } from '../support/requests/problem.ts'
import { type OwnService, startOwnService } from '../support/services/own-service.ts'

const optional = await startOwnService({}, afterAll)
const required = await startOwnService({ PLAYER_TOKEN_PRODUCT: 'required' }, afterAll)

const { gear } = samples.collections
const { wallets } = samples.players.oneWallet
const reads = ['GET /player/tokens', 'GET /player/tokens/raw'] as const

/** A product whose allowlist has two NFTs of the sample player, with its id. */
async function newProduct(service: OwnService) {
  const before = await idsOf(service)
  const apiKey = await service.newProduct()
  const [productId = ''] = (await idsOf(service)).filter((id) => !before.includes(id))
  const contract = { contractAddress: gear.address, chain: gear.chain }
  await allowlist(service.call, apiKey, { ...contract, tokens: ['2', '4'] })
  return { apiKey, productId }
}

async function idsOf(service: OwnService): Promise<string[]> {
  const items = await tableOf(service).itemsUnder('PRODUCT#')
  return items.filter(({ sk }) => sk === 'PROFILE').map(({ pk }) => pk.slice('PRODUCT#'.length))
}

/** The response to creating a player token for the sample player. */
const create = async (service: OwnService, query: Record<string, string | string[]>) =>
  await service.call('GET /player/token', { userJwt: await service.userJwt({ wallets }), query })

async function newToken(service: OwnService, query: Record<string, string>): Promise<string> {
  const { status, json, text } = await create(service, query)
  expect(status, text).toBe(200)
  return json.data.token
}

describe('D52: a player token for one game', () => {
  test('D52: has the product in the claim client_id, in lower case', async () => {
    const productId = randomUUID()
    const token = await newToken(optional, { productId: productId.toUpperCase() })
    expect(decodeJwt(token)).toMatchObject({ client_id: productId, aud: expect.any(String) })
    expect(decodeJwt(await newToken(optional, {}))).not.toHaveProperty('client_id')
    expect(decodeJwt(await newToken(optional, { productId: '' }))).not.toHaveProperty('client_id')
  })

  test.each(reads)('D52: %s accepts it for its product, and for no other', async (read) => {
    const [own, other] = [await newProduct(optional), await newProduct(optional)]
    const playerToken = await newToken(optional, { productId: own.productId })
    const answer = await optional.call(read, { apiKey: own.apiKey, playerToken })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json.data.length).toBeGreaterThan(0)
    const refused = await optional.call(read, { apiKey: other.apiKey, playerToken })
    expectProblem(refused, 'invalid_player_token')
    expect(refused.json.detail).toBe('The player token is for the game of another product.')
    expect(refused.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
  })

  test('D52: player details accept it', async () => {
    for (const service of [optional, required]) {
      const playerToken = await newToken(service, { productId: randomUUID() })
      expect((await service.call('GET /player/details', { playerToken })).status).toBe(200)
    }
  })

  test.each([
    'x',
    '0f5a3c1e7b624c1d9d532a8f1f0c9b7e',
    `${randomUUID()}0`,
    `{${randomUUID()}}`,
    ' ',
  ])('D52: the product %j is not well-formed', async (productId) => {
    expect(expectProblem(await create(optional, { productId }), 'invalid_request')).toEqual([
      { in: 'query', path: 'productId', message: 'must be a UUID' },
    ])
  })

  test('D34, D52: a product sent twice or under a similar name is 400', async () => {
    const productId = randomUUID()
    const twice = await create(optional, { productId: [productId, productId] })
    expect(pathsOf(expectProblem(twice, 'invalid_request'))).toEqual(['productId'])
    const miss = await create(optional, { product_id: productId })
    expect(expectProblem(miss, 'invalid_request')[0]?.message).toBe(
      'is not a parameter of this operation; use productId',
    )
  })

  test('D3: the user JWT is checked before the product', async () => {
    const answer = await optional.call('GET /player/token', { query: { productId: 'x' } })
    expectProblem(answer, 'missing_user_token')
  })
})

describe('D52: a deployment that requires a product', () => {
  test('D52: creates no player token without it', async () => {
    for (const query of [{}, { productId: '' }]) {
      expect(expectProblem(await create(required, query), 'invalid_request')).toEqual([
        { in: 'query', path: 'productId', message: 'is required' },
      ])
    }
  })

  test.each(reads)('D52: %s accepts only player tokens for one game', async (read) => {
    const { apiKey, productId } = await newProduct(required)
    const playerToken = await newToken(required, { productId })
    expect((await required.call(read, { apiKey, playerToken })).status).toBe(200)
    expectProblem(
      await required.call(read, {
        apiKey,
        playerToken: await newToken(required, { productId: randomUUID() }),
      }),
      'invalid_player_token',
    )
  })
})
