import { numbers, samples } from '@player-nfts/local/samples'
import { afterAll, expect, test } from 'vitest'
import { type Item, tableOf } from '../support/aws/stored-items.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { keyIn, keysOf } from '../support/requests/keys.ts'
import { lineWhere } from '../support/requests/log-lines.ts'
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

const { gear, keepers } = samples.collections
const { playerToken } = await service.newPlayer(samples.players.oneWallet.wallets)

/** Everything in the table, in a fixed order. */
async function wholeTable(): Promise<Item[]> {
  const textOf = ({ pk, sk }: Item) => `${pk}|${sk}`
  const items = await table.itemsUnder('')
  return items.sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
}

test('D45: after a product with everything that one can have is deleted, nothing of it is left in the table', async () => {
  const before = await wholeTable()
  const { apiKey, productId } = (await call('POST /product', { body: registration() })).json.data
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
  const { name: confirm } = registration()
  expect((await call('DELETE /product', { apiKey, query: { confirm } })).status).toBe(200)
  await expect.poll(wholeTable, { interval: 100 }).toEqual(before)
  const line = await lineWhere(log, (each) => each['productId'] === productId && 'deleted' in each)
  expect(line).toMatchObject({ kind: 'deleteProduct', deleted: { nfts: 4, contracts: 2 } })
  expectProblem(await call('GET /product', { apiKey }), 'invalid_api_key')
})
