import { describe, expect, test } from 'vitest'
import { withoutLimits } from '../support/requests/client.ts'
import { registration, sharedService } from '../support/services/service.ts'

const { call } = sharedService()

const register = async (changes: object) =>
  await call('POST /product', { body: { ...registration(), ...changes } })

describe('4.1 Register product', () => {
  test('returns an API key that product operations accept', async () => {
    const { json } = await register({})
    expect(Object.keys(json.data)).toEqual(['apiKey', 'productId'])
    const product = await call('GET /product', { apiKey: json.data.apiKey })
    expect(withoutLimits(product.json.data)).toEqual({
      ...registration(),
      productId: expect.any(String),
    })
  })

  test('D9: the key is a version 4 UUID, different for each registration', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => register({})))
    const keys = new Set(answers.map(({ json }) => json.data.apiKey))
    expect(keys.size).toBe(20)
    const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    for (const key of keys) expect(key).toMatch(version4)
  })

  test('D10: two identical registrations create two products', async () => {
    const [first, second] = [await register({}), await register({})]
    const apiKey = first.json.data.apiKey
    const body = {
      contractAddress: `0x${'1'.repeat(40)}`,
      contractDescription: 'Lanterns of the first season.',
      tokens: ['1'],
    }
    await call('POST /product/tokens', { apiKey, body })
    const others = await call('GET /product/tokens', { apiKey: second.json.data.apiKey })
    expect(others.json.data).toEqual([])
  })
})
