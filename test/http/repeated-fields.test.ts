import { beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { type Asked, capturedLog, goodApiKey, invoke } from '../support/memory/http-chain.ts'

/** The latest input of the operation. */
let given: Record<string, unknown>

const registerProduct = lambda(
  operation(routes.registerProduct, async (input) => {
    given = input
    return { data: { apiKey: goodApiKey, productId: 'product' } }
  }),
  { sourceAddressOf: () => '192.0.2.1' },
)

beforeEach(() => {
  given = {}
  capturedLog()
})

const registration = { name: 'Ember', contactEmail: 'a@b', companyName: 'Kiln' }
const register = (asked: Asked) => invoke(registerProduct, asked)

describe('D53: fields that a body has more than once', () => {
  test.each([
    ['{"name":"Ember","contactEmail":"a@b","companyName":"Kiln","name":"Ash"}', 'name', 2],
    ['{"name":"Ember","contactEmail":"a@b","companyName":"Kiln","n\\u0061me":"Ash"}', 'name', 2],
    ['{"name":"E","name":"Ember","name":7,"contactEmail":"a@b","companyName":"Kiln"}', 'name', 3],
    [
      '{"website":null,"name":"Ember","contactEmail":"a@b","companyName":"Kiln","website":"a.b"}',
      'website',
      2,
    ],
  ])('D53: %s has a field more than once', async (body, path, count) => {
    const message = `was sent ${count} times; send it once`
    const { json } = await register({ body })
    expect(json.errors).toEqual([{ in: 'body', path, message }])
  })

  test.each([
    ['an unknown field', { extra: 0 }, ',"extra":1}'],
    ['a field of an inner object', {}, ',"extra":{"name":1,"name":2}}'],
    ['a name in a text', { description: 'the fields "name" and \\ "name"' }, '}'],
    ['a name as a text', { name: 'name' }, '}'],
    ['an escaped unknown name', {}, ',"n\\u0061mes":"Ash"}'],
  ])('D53: more than once, %s is no fault', async (_what, fields, rest) => {
    const body = JSON.stringify({ ...registration, ...fields }).replace(/\}$/, rest)
    expect((await register({ body })).statusCode).toBe(200)
    expect(given['body']).toEqual({ ...registration, ...fields, extra: undefined })
  })
})
