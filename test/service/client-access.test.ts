import { randomUUID } from 'node:crypto'
import { samples } from '@player-nfts/local/samples'
import { afterAll, describe, expect, test } from 'vitest'
import { storedKeysIn } from '../support/aws/stored-keys.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { withoutTime } from '../support/requests/client.ts'
import { expectProblem, pathsOf } from '../support/requests/problem.ts'
import { startOwnService } from '../support/services/own-service.ts'

const service = await startOwnService({}, afterAll)
const { call, newPlayer } = service
const stored = storedKeysIn(service.stack.aws, service.stack.resources.tableName)

const { gear, crates } = samples.collections
const { playerToken } = await newPlayer(samples.players.threeWallets.wallets)
const reads = ['GET /player/tokens', 'GET /player/tokens/raw'] as const

/** A product with NFTs of the sample player on two chains; `fields` are fields of its stored item. */
async function newProduct(fields: Record<string, unknown> = { clientAccess: true }) {
  const apiKey = await service.newProduct()
  const { productId } = (await call('GET /product', { apiKey })).json.data
  for (const { address: contractAddress, chain } of [gear, crates]) {
    await allowlist(call, apiKey, { contractAddress, chain, tokens: ['2', '17'] })
  }
  const store = (changes: Record<string, unknown>) => stored.setProduct(apiKey, changes)
  if (Object.keys(fields).length > 0) await store(fields)
  return { apiKey, productId, store }
}

const chainsIn = ({ json }: { json: { data: { chain: string }[] } }) => [
  ...new Set(json.data.map(({ chain }) => chain)),
]

describe.each(reads)('D51: %s without an API key', (read) => {
  const ask = (query: Record<string, string | string[]>, headers = {}) =>
    call(read, { query, headers })

  test('D51: a product with client access gets the same response as with its key', async () => {
    const { apiKey, productId } = await newProduct()
    const keyed = await call(read, { apiKey, playerToken })
    expect(keyed.status).toBe(200)
    expect(chainsIn(keyed)).toEqual(['BSC', 'POLYGON'])
    for (const sent of [productId, productId.toUpperCase()]) {
      const answer = await ask({ productId: sent, playerToken })
      expect([answer.status, withoutTime(answer.text)]).toEqual([200, withoutTime(keyed.text)])
    }
    const inHeader = await ask({ productId }, { 'x-player-token': playerToken })
    expect(withoutTime(inHeader.text)).toBe(withoutTime(keyed.text))
  })

  test('D51: unknown products, two of them, stopped ones and products without client access are alike', async () => {
    const now = new Date().toISOString()
    const { productId: two } = await newProduct()
    const products = [
      await newProduct({}),
      await newProduct({ clientAccess: false }),
      await newProduct({ clientAccess: true, stoppedAt: now }),
      await newProduct({ clientAccess: true, endedAt: now }),
      { productId: randomUUID() },
      { productId: 'brindlewake' },
      { productId: '' },
      { productId: [two, two] },
    ]
    const details = new Set<string>()
    for (const { productId } of products) {
      const answer = await ask({ productId, playerToken })
      expectProblem(answer, 'missing_api_key')
      expect(answer.headers.get('www-authenticate')).toBe('ApiKey')
      details.add(answer.json.detail)
    }
    const without = await ask({ playerToken })
    expectProblem(without, 'missing_api_key')
    expect([...details]).toEqual([without.json.detail])
  })

  test('D51: with an API key, productId is ignored', async () => {
    const { apiKey } = await newProduct({})
    for (const productId of [randomUUID(), 'x', ['a', 'b']]) {
      expect((await ask({ productId, playerToken }, { 'x-api-key': apiKey })).status).toBe(200)
    }
    const { productId } = await newProduct()
    const wrongKey = await ask({ productId, playerToken }, { 'x-api-key': randomUUID() })
    expectProblem(wrongKey, 'invalid_api_key')
  })

  test('D3, D51: the player token is the credential, and is checked before the input', async () => {
    const { productId } = await newProduct()
    const invalid = await ask({ productId, playerToken: 'x', limit: '0' })
    expectProblem(invalid, 'invalid_player_token')
    expect(pathsOf(expectProblem(await ask({ productId }), 'invalid_request'))).toEqual([
      'playerToken',
    ])
    const closed = await newProduct({})
    const refused = await ask({ productId: closed.productId, playerToken: 'x', limit: '0' })
    expectProblem(refused, 'missing_api_key')
  })
})

test('D51: no other operation takes productId in place of the API key', async () => {
  const { productId } = await newProduct()
  for (const operation of ['GET /product', 'GET /product/tokens', 'GET /product/contracts']) {
    expectProblem(await call(operation, { query: { productId } }), 'missing_api_key')
  }
})

test('D47, D51: reads without an API key have a limit by player, and other reads have none', async () => {
  const limited = await startOwnService({ CLIENT_READS_PER_PLAYER_AND_MINUTE: '2' })
  const apiKey = await limited.newProduct()
  const body = { clientAccess: true }
  const { productId } = (await limited.call('PATCH /product', { apiKey, body })).json.data
  const query = { productId }
  const [one, another] = [await limited.newPlayer(), await limited.newPlayer()]
  const ask = (player: { playerToken: string }, index = 0) =>
    limited.call(reads[index % 2] as string, { query, playerToken: player.playerToken })
  // Refused requests are not counted.
  const unknown = { query: { productId: randomUUID() }, playerToken: one.playerToken }
  for (const read of [...reads, ...reads]) {
    expectProblem(await limited.call(read, unknown), 'missing_api_key')
  }
  for (const index of [0, 1]) expect((await ask(one, index)).status).toBe(200)
  const refused = await ask(one)
  expectProblem(refused, 'rate_limited')
  expect(refused.json.limit).toEqual({ name: 'client_reads', count: 2, perSeconds: 60 })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask(another)).status).toBe(200)
  for (const read of [...reads, ...reads]) {
    const keyed = await limited.call(read, { apiKey, playerToken: one.playerToken })
    expect(keyed.status).toBe(200)
  }
})
