import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type KeyEntry, keyIn, keysOf, productWithKeys, today } from '../support/requests/keys.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { sharedService } from '../support/services/service.ts'

const service = sharedService()
const get = (apiKey: string) => service.call('GET /product', { apiKey })
const newProduct = () => productWithKeys(service)

describe('D46: create API key', () => {
  test('D46: the key is returned once, works at once, and is listed', async () => {
    const { keys } = await newProduct()
    const { apiKey, ...entry } = keyIn(await keys.create({ label: 'CI', scope: 'MANAGE' }))
    expect(apiKey).toMatch(/^pnk_[0-9A-Za-z]{12}_[0-9A-Za-z]{39}$/)
    expect(entry).toEqual({
      keyId: apiKey.slice(4, 16),
      label: 'CI',
      scope: 'MANAGE',
      last4: apiKey.slice(-4),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      expiresAt: null,
      lastUsedOn: null,
      endedAt: null,
      endReason: null,
    })
    expect((await keys.list()).map(({ label }) => label)).toEqual(['Registration', 'CI'])
    expect((await keys.list())[1]).toEqual(entry)
    const before = today()
    expect((await get(apiKey)).status).toBe(200)
    const lastUsedOn = expect.toBeOneOf([before, today()])
    expect((await keys.list())[1]).toEqual({ ...entry, lastUsedOn })
  })

  test('D46: a key with an end', async () => {
    const { keys } = await newProduct()
    const end = { expiresAt: '2099-01-31T12:00:00+01:00' }
    const { apiKey, expiresAt } = keyIn(await keys.create(end))
    expect(expiresAt).toBe('2099-01-31T11:00:00.000Z')
    expect((await get(apiKey)).status).toBe(200)
  })

  test('D133: an empty end is a fault, because the key would have none', async () => {
    const { keys } = await newProduct()
    const { apiKey, keyId } = keyIn(await keys.create({ expiresAt: null }))
    const empty = { expiresAt: '' }
    for (const answer of [await keys.create(empty), await keys.rotate(keyId, empty)]) {
      expectProblem(answer, 'invalid_request')
      const message = expect.stringContaining('must be a time such as')
      expect(answer.json.errors).toEqual([{ in: 'body', path: 'expiresAt', message }])
    }
    expect(await keys.list()).toHaveLength(2)
    expect((await get(apiKey)).status).toBe(200)
  })

  test('D46: at most 50 keys work', async () => {
    const { keys } = await newProduct()
    // The set of keys changes by one write at a time, so parallel requests are more than a repeat.
    for (let count = 1; count < 50; count += 1) keyIn(await keys.create({ scope: 'READ' }))
    expectProblem(await keys.create({ scope: 'READ' }), 'too_many_keys')
    const [registration, second] = await keys.list()
    expectProblem(await keys.rotate(second?.keyId ?? ''), 'too_many_keys')
    keyIn(await keys.end(second?.keyId ?? ''))
    keyIn(await keys.create({ scope: 'READ' }))
    const list = await keys.list()
    expect(list.filter(({ endedAt }) => endedAt === null)).toHaveLength(50)
    expect(list[0]).toEqual(registration)
    expect(list.at(-1)).toMatchObject({ keyId: second?.keyId, endReason: 'deleted' })
  })
})

describe('D46: list API keys', () => {
  test('D46: the key of registration is listed, without the key itself', async () => {
    const { apiKey, keys } = await newProduct()
    const [key, ...others] = await keys.list()
    expect(others).toEqual([])
    expect(key).toMatchObject({ label: 'Registration', scope: 'MANAGE', last4: apiKey.slice(-4) })
    expect(JSON.stringify(key)).not.toContain(apiKey)
    expect(key).not.toHaveProperty('digest')
  })

  test('D46: the keys that work are first, and the latest ended key follows them', async () => {
    const { keys } = await newProduct()
    const created: KeyEntry[] = []
    for (const label of ['One', 'Two', 'Three']) created.push(keyIn(await keys.create({ label })))
    for (const { keyId } of created.slice(0, 2)) keyIn(await keys.end(keyId))
    const list = await keys.list()
    expect(list.map(({ label, endReason }) => [label, endReason])).toEqual([
      ['Registration', null],
      ['Three', null],
      ['Two', 'deleted'],
      ['One', 'deleted'],
    ])
    for (const { endedAt } of list.slice(2)) expect(Date.parse(endedAt ?? '')).toBeGreaterThan(0)
  })
})

describe('D46: rotate API key', () => {
  test.each([{}, { body: '' }, { body: '{}' }])(
    'D46: both keys work during the default overlap of a day: %j',
    async (sent) => {
      const { apiKey, keys, keyId } = await newProduct()
      const operation = 'POST /product/keys/{keyId}/rotate'
      const added = keyIn(await service.call(operation, { apiKey, path: { keyId }, ...sent }))
      expect(added).toMatchObject({ label: 'Registration', scope: 'MANAGE', expiresAt: null })
      for (const key of [apiKey, added.apiKey]) expect((await get(key)).status).toBe(200)
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

describe('D46: end API key', () => {
  test('D46: the key is refused with the next request, and listed as ended', async () => {
    const { keys } = await newProduct()
    const { apiKey, ...entry } = keyIn(await keys.create())
    const before = today()
    expect((await get(apiKey)).status).toBe(200)
    const lastUsedOn = expect.toBeOneOf([before, today()])
    const ended = keyIn(await keys.end(entry.keyId))
    expectProblem(await get(apiKey), 'invalid_api_key')
    expect(ended).toEqual({
      ...entry,
      lastUsedOn,
      endedAt: expect.any(String),
      endReason: 'deleted',
    })
    expect((await keys.list()).at(-1)).toEqual(ended)
  })

  test('D46: a key can end itself', async () => {
    const { apiKey, keys, keyId } = await newProduct()
    const other = keyIn(await keys.create())
    keyIn(await keys.end(keyId))
    expectProblem(await get(apiKey), 'invalid_api_key')
    expect((await get(other.apiKey)).status).toBe(200)
  })

  test('D46: the last key with the scope MANAGE and without an end cannot be ended', async () => {
    const { apiKey, keys, keyId } = await newProduct()
    keyIn(await keys.create({ scope: 'READ' }))
    keyIn(await keys.create({ expiresAt: '2099-01-01T00:00:00Z' }))
    expectProblem(await keys.end(keyId), 'last_key')
    expect((await get(apiKey)).status).toBe(200)
  })

  test('D46: a key that has ended is 409, an unknown key is 404', async () => {
    const { keys } = await newProduct()
    const other = await newProduct()
    const { keyId } = keyIn(await keys.create())
    keyIn(await keys.end(keyId))
    expectProblem(await keys.end(keyId), 'key_ended')
    for (const unknown of ['unknown', other.keyId]) {
      expectProblem(await keys.end(unknown), 'key_not_found')
    }
    expect((await get(other.apiKey)).status).toBe(200)
  })

  test('D46: two requests at once cannot end the last two keys', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { apiKey, keys, keyId } = await newProduct()
      const other = keyIn(await keys.create())
      const answers = await Promise.all([keys.end(keyId), keys.end(other.keyId)])
      const statuses = answers.map(({ status }) => status)
      // The key of the request may have ended before the second request.
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      for (const answer of answers.filter(({ status }) => status !== 200)) {
        const code = answer.status === 401 ? 'invalid_api_key' : 'last_key'
        expectProblem(answer, code)
      }
      const working = await Promise.all([apiKey, other.apiKey].map(get))
      expect(working.filter(({ status }) => status === 200)).toHaveLength(1)
    }
  })
})
