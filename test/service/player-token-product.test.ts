import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { samples } from '../../local/samples/samples.ts'
import { tableOf } from '../support/aws/table.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { type OwnService, startOwnService } from '../support/services/own-service.ts'

const optional = await startOwnService({}, afterAll)
// Its keys and products are those of the other one, so that it knows all player tokens.
const required = await startOwnService(
  { PLAYER_TOKEN_PRODUCT: 'required', AWS_ENDPOINT_URL: optional.stack.aws.endpoint ?? '' },
  afterAll,
)

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

  test('D52: a product that is not well-formed is 400', async () => {
    expect(expectProblem(await create(optional, { productId: 'x' }), 'invalid_request')).toEqual([
      { in: 'query', path: 'productId', message: 'must be a UUID' },
    ])
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
    const statusWith = async (playerToken: string) =>
      (await required.call(read, { apiKey, playerToken })).status
    expect(await statusWith(await newToken(required, { productId }))).toBe(200)
    expect(await statusWith(await newToken(optional, {}))).toBe(401)
  })
})
