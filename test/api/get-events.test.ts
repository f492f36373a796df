import { numbers } from '@player-nfts/local/samples'
import type * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import type { routes } from '../../functions/operations.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { keyIn, keysOf } from '../support/requests/keys.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { newAddress, sharedService } from '../support/services/service.ts'

const service = sharedService()
const { call, newProduct } = service

const events = async (apiKey: string, query: Record<string, string> = {}) =>
  await call('GET /product/events', { apiKey, query })

type Entry = v.InferOutput<typeof routes.getEvents.answer>[number]

/** A product with a contract, two allowlistings and one unbinding: four events. */
async function changedProduct() {
  const [apiKey, contractAddress] = [await newProduct(), newAddress()]
  await allowlist(call, apiKey, { contractAddress, tokens: ['1', '2', '0x2'] })
  await allowlist(call, apiKey, { contractAddress, tokens: ['3'] })
  const query = { contractAddress, chain: 'POLYGON' }
  await call('DELETE /product/tokens', { apiKey, query: { ...query, tokens: ['1', '99'] } })
  return { apiKey, contractAddress, query }
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('D49: get events', () => {
  test('D49: the first event of a product is its registration', async () => {
    const before = Date.now()
    const { json } = await events(await newProduct())
    expect(json).toEqual({
      data: [
        {
          eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          at: expect.stringMatching(isoTime),
          keyId: expect.stringMatching(/./),
          action: 'registerProduct',
          newKeyId: null,
          endedKeyId: null,
          webhookId: null,
          chain: null,
          contractAddress: null,
          count: null,
          ranges: null,
          outcome: 'done',
        },
      ],
      success: true,
    })
    expect(Date.parse(json.data[0].at)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(json.data[0].at)).toBeLessThanOrEqual(Date.now())
  })

  test('D49: each change of the allowlist has an event with its contract and number of NFTs', async () => {
    const { apiKey, contractAddress, query } = await changedProduct()
    await call('DELETE /product/contract', { apiKey, query })
    const { json } = await events(apiKey)
    const about = { chain: 'POLYGON', contractAddress, outcome: 'done' }
    expect(json.data).toMatchObject([
      { action: 'unbindContract', count: null, ...about },
      { action: 'unbindNfts', count: 1, ...about },
      { action: 'allowlistNfts', count: 1, ...about },
      { action: 'allowlistNfts', count: 2, ...about },
      { action: 'registerProduct' },
    ])
    expect(new Set(json.data.map(({ keyId }: Entry) => keyId)).size).toBe(1)
    expect(new Set(json.data.map(({ eventId }: Entry) => eventId)).size).toBe(5)
    const times = json.data.map(({ at }: Entry) => at)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  test('D46, D49: each change of the keys has an event with the keys that it adds and ends', async () => {
    const apiKey = await newProduct()
    const keys = keysOf(call, apiKey)
    const [registered] = await keys.list()
    const created = keyIn(await keys.create())
    await keysOf(call, created.apiKey).end(registered?.keyId ?? '')
    const rotated = keyIn(await keysOf(call, created.apiKey).rotate(created.keyId))
    await keysOf(call, created.apiKey).end('unknown')
    const { json } = await events(created.apiKey)
    const byNewKey = { keyId: created.keyId, chain: null, contractAddress: null, count: null }
    expect(json.data).toMatchObject([
      { action: 'endKey', outcome: 'failed', ...byNewKey },
      { action: 'rotateKey', outcome: 'done', ...byNewKey },
      { action: 'endKey', outcome: 'done', ...byNewKey },
      { action: 'createKey', outcome: 'done', keyId: registered?.keyId },
      { action: 'registerProduct', outcome: 'done', keyId: registered?.keyId },
    ])
    expect(json.data.map((entry: Entry) => [entry.newKeyId, entry.endedKeyId])).toEqual([
      [null, null],
      [rotated.keyId, created.keyId],
      [null, registered?.keyId],
      [created.keyId, null],
      [null, null],
    ])
  })

  test('D45, D49: a change of the product has an event, and a change of nothing has none', async () => {
    const apiKey = await newProduct()
    for (const body of [{ name: 'Lanterns of the Lee' }, {}]) {
      expect((await call('PATCH /product', { apiKey, body })).status).toBe(200)
    }
    expect((await events(apiKey)).json.data).toMatchObject([
      { action: 'updateProduct', outcome: 'done', count: null },
      { action: 'registerProduct', outcome: 'done' },
    ])
  })

  test('D49, D57: an event names the first ten ranges of its request, merged', async () => {
    const [apiKey, contractAddress] = [await newProduct(), newAddress()]
    const twelve = numbers(0, 11).map((n) => `${Number(n) * 10}..${Number(n) * 10 + 3}`)
    for (const tokens of [['5'], ['1..9', '10..12', '20'], twelve]) {
      await allowlist(call, apiKey, { contractAddress, tokens })
    }
    const body = { contractAddress, chain: 'POLYGON', tokens: ['*'] }
    await call('POST /product/tokens/unbind', { apiKey, body })
    expect((await events(apiKey, { limit: '4' })).json.data).toMatchObject([
      { action: 'unbindNfts', ranges: ['*'] },
      { action: 'allowlistNfts', count: 12, ranges: twelve.slice(0, 10) },
      { action: 'allowlistNfts', count: 3, ranges: ['1..12'] },
      { action: 'allowlistNfts', count: 1, ranges: null },
    ])
  })

  test('D49, D77: a product sees only its own events, and the cursor of another product is 400', async () => {
    const [mine, theirs] = [await changedProduct(), await newProduct()]
    const { nextCursor, data } = (await events(mine.apiKey, { limit: '1' })).json
    const own = (await events(theirs)).json.data
    expect(own).toHaveLength(1)
    expect(own[0].eventId).not.toBe(data[0].eventId)
    const foreign = await events(theirs, { cursor: nextCursor })
    expect(expectProblem(foreign, 'invalid_request')).toEqual([
      { in: 'query', path: 'cursor', message: 'is not a cursor that was given out here' },
    ])
  })
})
