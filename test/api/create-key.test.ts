import { describe, expect, test } from 'vitest'
import { keyIn, keysOf, today } from '../support/requests/keys.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { sharedService } from '../support/services/service.ts'

const service = sharedService()
const newKeys = async () => keysOf(service.call, await service.newProduct())
const statusOf = async (apiKey: string) => (await service.call('GET /product', { apiKey })).status

describe('D46: create an API key', () => {
  test('D46: the key is returned once, works at once, and is listed', async () => {
    const keys = await newKeys()
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
    expect(await statusOf(apiKey)).toBe(200)
    const lastUsedOn = expect.toBeOneOf([before, today()])
    expect((await keys.list())[1]).toEqual({ ...entry, lastUsedOn })
  })

  test('D46: a key with an end', async () => {
    const keys = await newKeys()
    const end = { expiresAt: '2099-01-31T12:00:00+01:00' }
    const { apiKey, expiresAt } = keyIn(await keys.create(end))
    expect(expiresAt).toBe('2099-01-31T11:00:00.000Z')
    expect(await statusOf(apiKey)).toBe(200)
  })

  test('D133: an empty end is a fault, because the key would have none', async () => {
    const keys = await newKeys()
    const { apiKey, keyId } = keyIn(await keys.create({ expiresAt: null }))
    const empty = { expiresAt: '' }
    for (const answer of [await keys.create(empty), await keys.rotate(keyId, empty)]) {
      expectProblem(answer, 'invalid_request')
      const message = expect.stringContaining('must be a time such as')
      expect(answer.json.errors).toEqual([{ in: 'body', path: 'expiresAt', message }])
    }
    expect(await keys.list()).toHaveLength(2)
    expect(await statusOf(apiKey)).toBe(200)
  })

  test('D46: at most 50 keys work', async () => {
    const keys = await newKeys()
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
