import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { keyIn, keysOf, productWithKeys } from '../support/requests/keys.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { sharedService } from '../support/services/service.ts'

const service = sharedService()
const get = (apiKey: string) => service.call('GET /product', { apiKey })

const newProduct = () => productWithKeys(service)

describe('D46: rotate an API key', () => {
  test('D46: both keys work during the overlap of a day', async () => {
    const { apiKey, keys, keyId } = await newProduct()
    const before = Date.now()
    const added = keyIn(await keys.rotate(keyId))
    expect(added).toMatchObject({ label: 'Registration', scope: 'MANAGE', expiresAt: null })
    for (const key of [apiKey, added.apiKey]) expect((await get(key)).status).toBe(200)
    const old = (await keys.list()).find((key) => key.keyId === keyId)
    const overlap = Date.parse(old?.expiresAt ?? '') - before
    expect(overlap).toBeGreaterThanOrEqual(86_400_000)
    expect(overlap).toBeLessThan(86_500_000)
  })

  test.each([{}, { body: '' }, { body: '{}' }])(
    'D46: a rotation with no body, an empty body or {} has the default overlap: %j',
    async (sent) => {
      const { apiKey, keys, keyId } = await newProduct()
      const operation = 'POST /product/keys/{keyId}/rotate'
      const added = keyIn(await service.call(operation, { apiKey, path: { keyId }, ...sent }))
      expect((await get(added.apiKey)).status).toBe(200)
      const old = (await keys.list()).find((key) => key.keyId === keyId)
      const overlap = Date.parse(old?.expiresAt ?? '') - Date.parse(added.createdAt)
      expect(overlap).toBe(86_400_000)
    },
  )

  test('D46: only the body of a rotation can be empty', async () => {
    const { apiKey } = await newProduct()
    for (const operation of ['POST /product/keys', 'PATCH /product']) {
      expectProblem(await service.call(operation, { apiKey }), 'invalid_json')
    }
  })

  test('D46: without overlap the old key ends at once', async () => {
    const { apiKey, keys, keyId } = await newProduct()
    const added = keyIn(await keys.rotate(keyId, { overlapSeconds: 0 }))
    expectProblem(await get(apiKey), 'invalid_api_key')
    const list = await keysOf(service.call, added.apiKey).list()
    expect(list.map(({ endReason }) => endReason)).toEqual([null, 'rotated'])
  })

  test('D46: the old key ends after the overlap', async () => {
    const { apiKey, keys, keyId } = await newProduct()
    const added = keyIn(await keys.rotate(keyId, { overlapSeconds: 1 }))
    await pause(1_100)
    expectProblem(await get(apiKey), 'invalid_api_key')
    const list = await keysOf(service.call, added.apiKey).list()
    expect(list.map((key) => [key.keyId, key.endReason])).toEqual([
      [added.keyId, null],
      [keyId, 'rotated'],
    ])
    expect(list[1]?.endedAt).toBe(list[1]?.expiresAt)
    const managed = keysOf(service.call, added.apiKey)
    for (const answer of [await managed.end(keyId), await managed.rotate(keyId)]) {
      expectProblem(answer, 'key_ended')
    }
    // The next change of the keys moves the old key out of the product.
    keyIn(await managed.create())
    expect((await managed.list()).at(-1)).toEqual(list[1])
  })

  test('D46: the scope and the label stay, the end does not', async () => {
    const { keys } = await newProduct()
    const end = { expiresAt: '2099-01-01T00:00:00Z' }
    const { keyId } = keyIn(await keys.create({ label: 'Servers', scope: 'READ', ...end }))
    const added = keyIn(await keys.rotate(keyId))
    expect(added).toMatchObject({ label: 'Servers', scope: 'READ', expiresAt: null })
    const next = keyIn(await keys.rotate(added.keyId, { expiresAt: '2098-01-01T00:00:00Z' }))
    expect(next.expiresAt).toBe('2098-01-01T00:00:00.000Z')
  })

  test('D46: an overlap does not extend a key', async () => {
    const { keys } = await newProduct()
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    const { keyId } = keyIn(await keys.create({ expiresAt }))
    keyIn(await keys.rotate(keyId))
    expect((await keys.list()).find((key) => key.keyId === keyId)?.expiresAt).toBe(expiresAt)
  })

  test('D46: the last key without an end cannot be replaced by a key with an end', async () => {
    const { apiKey, keys, keyId } = await newProduct()
    const end = { expiresAt: '2099-01-01T00:00:00Z' }
    for (const overlapSeconds of [0, 60]) {
      expectProblem(await keys.rotate(keyId, { ...end, overlapSeconds }), 'last_key')
    }
    expect((await get(apiKey)).status).toBe(200)
    expect(await keys.list()).toHaveLength(1)
    keyIn(await keys.create())
    keyIn(await keys.rotate(keyId, end))
  })
})
