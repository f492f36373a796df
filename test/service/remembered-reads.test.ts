import { setTimeout } from 'node:timers/promises'
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, describe, expect, test } from 'vitest'
import { numbers } from '../../local/samples/samples.ts'
import { type Item, tableOf } from '../support/aws/table.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { allowlist, productWith } from '../support/requests/reading.ts'
import { remembered, rememberedReads, tokenIdsOf } from '../support/requests/remembered-reads.ts'
import { withoutTime } from '../support/requests/without-time.ts'
import { nameOf, startCountedService } from '../support/services/counted-service.ts'

const service = await startCountedService()
const table = tableOf(service)

const failing = { isDown: false }
service.interfere((request) =>
  failing.isDown && nameOf(request) === 'getNFTsForOwner' ? { status: 500 } : undefined,
)
afterEach(() => {
  failing.isDown = false
})

const { holder, reader, keptOf } = rememberedReads(service)

describe('D65: a remembered read', () => {
  test.each([10, 100, 1_000])(
    'Budget: makes the same requests for an allowlist of %i NFTs, and none to the indexer',
    async (length) => {
      const of = await holder(10, numbers(1, length))
      const read = reader()
      const first = await read(of)
      const use = await service.useOf(async () => {
        const second = await read(of)
        expect(withoutTime(second.text)).toBe(withoutTime(first.text))
        expect(tokenIdsOf(second)).toEqual(numbers(1, 10))
      })
      // The product, the player, the contracts, the reading, the refresh of its contract, and the allowlist of 10 NFTs.
      expect(use).toEqual({ counts: remembered, units: { read: 5 + 10, write: 0 } })
    },
  )

  test('Budget: a read that is kept makes one lookup and one write more', async () => {
    const of = await holder()
    const read = reader()
    await read(await holder())
    const use = await service.useOf(() => read(of))
    // The container reads this API key and this wallet for the first time. The item has less than 1 KB.
    expect(use).toEqual({
      counts: { ...remembered, GetItem: 1, getNFTsForOwner: 1, BatchGetItem: 3, PutItem: 1 },
      units: { read: 6 + 10, write: 1 },
    })
  })

  test('Budget: without the settings, nothing is kept, and no request is added', async () => {
    const of = await holder()
    const read = reader({})
    await read(of)
    const use = await service.useOf(() => read(of))
    expect(use).toEqual({
      counts: { Query: 1, getNFTsForOwner: 1, BatchGetItem: 2 },
      units: { read: 3 + 10, write: 0 },
    })
    expect(await keptOf(of.wallet)).toEqual([])
  })

  test('several pages are kept together, and their allowlists are read in one round', async () => {
    const of = await holder(250)
    const read = reader()
    await read(of)
    const counts = await service.countsOf(async () => {
      expect(tokenIdsOf(await read(of))).toEqual(numbers(1, 250))
    })
    expect(counts).toEqual({ ...remembered, BatchGetItem: 2 + 3 })
    expect(await keptOf(of.wallet)).toHaveLength(1)
  })

  test('D19: unbinding and allowlisting take effect with the next request', async () => {
    const of = await holder(10, numbers(1, 5))
    const read = reader()
    expect(tokenIdsOf(await read(of))).toEqual(numbers(1, 5))
    await allowlist(service, of.apiKey, { ...of.contract, tokenIds: ['7'] })
    expect(tokenIdsOf(await read(of))).toEqual([...numbers(1, 5), '7'])
    const query = { contractAddress: of.contract.address, chain: 'POLYGON' }
    await service.call('DELETE /product/contract', { apiKey: of.apiKey, query })
    expect(tokenIdsOf(await read(of))).toEqual([])
  })

  test('products share nothing', async () => {
    const of = await holder()
    const other = await productWith(service, of.contract)
    const read = reader()
    await read(of)
    const counts = await service.countsOf(() => read({ ...of, apiKey: other }))
    expect(counts).toMatchObject({ getNFTsForOwner: 1 })
  })

  test('D31: a refresh of the contract ends the use of what was read before', async () => {
    const of = await holder()
    const read = reader()
    await read(of)
    const body = { smartContract: of.contract.address }
    const { status } = await service.call('POST /tokens/refresh', { apiKey: of.apiKey, body })
    expect(status).toBe(200)
    const counts = await service.countsOf(() => read(of))
    expect(counts).toMatchObject({ getNFTsForOwner: 1 })
  })

  const damages: [string, (item: Item) => object | undefined][] = [
    ['deleted', () => undefined],
    ['without its data', ({ data: _, ...item }) => item],
    ['without its age', ({ readAt: _, ...item }) => item],
    ['with a greater age', (item) => ({ ...item, block: { number: 1, at: 0 } })],
    ['with other data', (item) => ({ ...item, data: Buffer.from('other') })],
    ['with a flipped bit', (item) => ({ ...item, data: flipped(item['data'] as Uint8Array) })],
    ['of another wallet', (item) => ({ ...item, data: foreign.data })],
  ]
  const foreign: { data?: unknown } = {}

  test.each(damages)('the indexer is asked if the kept item is %s', async (_, damage) => {
    const read = reader()
    const [of, other] = [await holder(), await holder(3)]
    await Promise.all([read(of), read(other)])
    foreign.data = (await keptOf(other.wallet))[0]?.['data']
    await damageKept(of.wallet, damage)
    const counts = await service.countsOf(async () => {
      expect(tokenIdsOf(await read(of))).toEqual(numbers(1, 10))
    })
    expect(counts).toMatchObject({ getNFTsForOwner: 1 })
  })

  test('D67: a reading is not younger than its content says', async () => {
    const of = await holder()
    const read = reader()
    await read(of)
    await damageKept(of.wallet, (item) => ({
      ...item,
      readAt: 1e13,
      block: { number: 1, at: 1e13 },
    }))
    await setTimeout(1_100)
    const counts = await service.countsOf(() =>
      read(of, { headers: { 'cache-control': 'max-age=1' } }),
    )
    expect(counts).toMatchObject({ getNFTsForOwner: 1 })
  })
})

/** Changes the kept reading of a wallet; `undefined` deletes it. */
async function damageKept(wallet: string, damage: (item: Item) => object | undefined) {
  const [item] = await keptOf(wallet)
  if (!item) throw new Error('nothing is kept')
  const Item = damage(item)
  const Key = { pk: item.pk, sk: item.sk }
  const command = Item
    ? new PutCommand({ TableName: table.name, Item: Item as Item })
    : new DeleteCommand({ TableName: table.name, Key })
  await table.client.send(command as PutCommand)
}

/** The bytes with one changed bit in the middle. */
function flipped(data: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(data)
  const middle = bytes.length >> 1
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  return bytes
}

describe('D67: the header Cache-Control', () => {
  const withHeader = (value: string) => ({ headers: { 'cache-control': value } })

  test.each([
    ['no-cache', true],
    ['max-age=0', true],
    ['max-age=3600', false],
    ['max-age=soon, only-if-cached', false],
  ])('%s reads anew: %s', async (value, isAnew) => {
    const of = await holder()
    const read = reader()
    await read(of)
    const counts = await service.countsOf(() => read(of, withHeader(value)))
    expect('getNFTsForOwner' in counts).toBe(isAnew)
  })

  test('stale-if-error permits a kept answer while the indexer is down, which says so', async () => {
    const of = await holder()
    const read = reader()
    const { asOf } = (await read(of)).json
    // A block that was made while the indexer was asked counts as of the beginning of the call.
    const earliest = new Date(Date.parse(asOf) - 5_000).toISOString()
    failing.isDown = true
    expectProblem(await read(of, withHeader('no-cache')), 'indexer_unavailable')
    const stale = await read(of, withHeader('no-cache, stale-if-error=600'))
    expect(tokenIdsOf(stale)).toEqual(numbers(1, 10))
    expect(stale.json).toMatchObject({ success: true, stale: true })
    expect(stale.json.asOf >= earliest && stale.json.asOf <= asOf).toBe(true)
    const { json } = await read(of)
    expect(json.stale).toBeUndefined()
  })

  test('stale-if-error does not permit an older answer', async () => {
    const of = await holder()
    const read = reader()
    await read(of)
    failing.isDown = true
    await setTimeout(1_100)
    const answer = await read(of, withHeader('no-cache, stale-if-error=1'))
    expectProblem(answer, 'indexer_unavailable')
  })
})
