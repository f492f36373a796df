import { numbers, samples } from '@player-nfts/local/samples'
import { afterAll, describe, expect, test } from 'vitest'
import { type Item, tableOf } from '../support/aws/stored-items.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { keyIn, keysOf } from '../support/requests/keys.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress, registration } from '../support/services/service.ts'

/** Without limits of registrations, registering counts nothing in the table. */
const service = await startOwnService(
  {
    SWEEP_DELAY_SECONDS: '1',
    USAGE_DELAY_SECONDS: '0',
    INDEXER_CALLS_PER_PRODUCT_AND_MINUTE: '1000',
  },
  afterAll,
)
const { call, log } = service
const table = tableOf(service)

/** The time limit for background work. */
const patience = { interval: 100 }

const { name } = registration()
const { gear, keepers } = samples.collections
const { playerToken } = await service.newPlayer(samples.players.oneWallet.wallets)

/** Everything in the table, in a fixed order. */
async function wholeTable(): Promise<Item[]> {
  const textOf = ({ pk, sk }: Item) => `${pk}|${sk}`
  const items = await table.itemsUnder('')
  return items.sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
}

async function newProduct() {
  const { json } = await call('POST /product', { body: registration() })
  return json.data as { apiKey: string; productId: string }
}

async function deleteProduct(apiKey: string): Promise<void> {
  const { status, text } = await call('DELETE /product', { apiKey, query: { confirm: name } })
  expect(status, text).toBe(200)
}

/** The log lines of the worker about the deletion of a product. */
const deletionsOf = (productId: string) =>
  log
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter((line) => line.kind === 'deleteProduct' && line.productId === productId)

/** The numbers of deleted items in all log lines about a product. */
function deletedOf(productId: string): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const { deleted = {} } of deletionsOf(productId)) {
    for (const [kind, count] of Object.entries<number>(deleted)) {
      sum[kind] = (sum[kind] ?? 0) + count
    }
  }
  return sum
}

describe('D45: after a product is deleted, nothing of it is left in the table', () => {
  test('D45: a product with everything that a product can have', async () => {
    const before = await wholeTable()
    const { apiKey, productId } = await newProduct()
    const keys = keysOf(call, apiKey)
    await call('PATCH /product', { apiKey, body: { clientAccess: true } })
    const ended = keyIn(await keys.create())
    await keys.end(ended.keyId)
    const rotated = keyIn(await keys.create({ scope: 'READ' }))
    await keys.rotate(rotated.keyId)
    keyIn(await keys.rotate(keyIn(await keys.create()).keyId, { overlapSeconds: 0 }))
    for (const { address: contractAddress, chain } of [gear, keepers]) {
      await allowlist(call, apiKey, { contractAddress, chain, tokens: ['2', '3'] })
      await call('POST /tokens/refresh', { apiKey, body: { smartContract: contractAddress } })
    }
    const unbound = newAddress()
    await allowlist(call, apiKey, { contractAddress: unbound, tokens: numbers(1, 30) })
    const query = { contractAddress: unbound, chain: 'POLYGON' }
    await call('DELETE /product/contract', { apiKey, query })
    await call('GET /player/tokens', { apiKey, playerToken })
    await call('GET /player/tokens', { query: { productId }, playerToken })
    const stored = await table.itemsUnder(`PRODUCT#${productId}`)
    const kinds = new Set(stored.map(({ sk }) => sk.split('#')[0]))
    expect([...kinds].sort()).toEqual([
      'CONTRACT',
      'EVENT',
      'KEY',
      'LIMITS',
      'PROFILE',
      'REFRESH',
      'USAGE',
    ])
    await deleteProduct(apiKey)
    await expect.poll(wholeTable, patience).toEqual(before)
    await expect
      .poll(() => deletedOf(productId), patience)
      .toMatchObject({ nfts: 4, contracts: 2, apiKeys: expect.any(Number) })
    expectProblem(await call('GET /product', { apiKey }), 'invalid_api_key')
  })
})
