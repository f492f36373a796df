import { describe, expect, test } from 'vitest'
import { keyIn, productWithKeys, today } from '../support/requests/keys.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { sharedService } from '../support/services/service.ts'

const service = sharedService()
const get = (apiKey: string) => service.call('GET /product', { apiKey })

const newProduct = () => productWithKeys(service)

describe('D46: end an API key', () => {
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
