import { describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import type { Received } from '../support/requests/client.ts'
import { newAddress, sharedService } from '../support/services/service.ts'

const { call, newProduct } = sharedService()

/** Expects a response in API Gateway's own form, which programs do not mistake for a problem. */
function expectGatewayRefusal({ status, headers, json }: Received, expected: [number, string]) {
  expect([status, json]).toEqual([expected[0], { message: expected[1] }])
  expect(headers.get('content-type')).toBe('application/json')
}

const notFound: [number, string] = [404, 'Not Found']

describe('D3 Responses of API Gateway itself', () => {
  test.each([
    ['no operation', 'GET /nothing'],
    ['a longer path', 'GET /product/tokens/1'],
    ['a trailing slash', 'GET /product/'],
    ['another case', 'GET /Product'],
    ['no path', 'GET /'],
    ['the root', 'GET /../../..'],
    ['another version', 'GET /../v2/product'],
    ['another well-known document', 'GET /.well-known/openid-configuration'],
  ])('D3: %s is 404', async (_, operation) => {
    expectGatewayRefusal(await call(operation), notFound)
  })

  test.each([
    'PUT /product',
    'PATCH /product/tokens',
    'POST /public-key',
    'GET /product/contract',
    'GET /tokens/refresh',
    'POST /player/token',
    'OPTIONS /product',
  ])('D3: a method that the path does not have is 404: %s', async (operation) => {
    expectGatewayRefusal(await call(operation, { apiKey: await newProduct() }), notFound)
  })

  test('D3: a request line and headers over 10,240 bytes are 431', async () => {
    const refused: [number, string] = [431, 'Request Header Fields Too Large']
    const filler = 'x'.repeat(10_240)
    expectGatewayRefusal(
      await call('GET /public-key', { headers: { 'x-filler': filler } }),
      refused,
    )
    expectGatewayRefusal(await call('GET /public-key', { query: { filler } }), refused)
    const almost = await call('GET /public-key', { query: { filler: filler.slice(1_000) } })
    expect(almost.status).toBe(200)
  })

  test("D3: a body over Lambda's 6 MB is 413", async () => {
    const refused: [number, string] = [413, 'Request Entity Too Large']
    const body = ' '.repeat(6_291_457)
    const apiKey = await newProduct()
    expectGatewayRefusal(await call('POST /product', { body }), refused)
    expectGatewayRefusal(await call('POST /product/tokens', { apiKey, body }), refused)
  })

  test('D2, D3: a smaller body over 1 MiB is the problem payload_too_large', async () => {
    const { status, headers, json } = await call('POST /product', { body: ' '.repeat(1_048_577) })
    expect([status, json.code]).toEqual([413, 'payload_too_large'])
    expect(headers.get('content-type')).toBe('application/problem+json')
  })
})

describe('D6 Cross-origin requests', () => {
  const origin = 'https://game.example'
  const preflight = {
    origin,
    'access-control-request-method': 'DELETE',
    'access-control-request-headers': 'content-type,x-api-key,authorization,x-player-token',
  }

  test.each(['/product/contract', '/nothing'])(
    'D6: a preflight request succeeds on any path: %s',
    async (path) => {
      const { status, headers, text } = await call(`OPTIONS ${path}`, { headers: preflight })
      expect([status, text]).toEqual([204, ''])
      expect(headers.get('access-control-allow-origin')).toBe('*')
      const methods = Object.values(routes).map(({ method }) => method)
      expect(headers.get('access-control-allow-methods')?.split(',')).toEqual(
        expect.arrayContaining(methods),
      )
      expect(headers.get('access-control-allow-headers')?.toLowerCase().split(',')).toEqual([
        ...['content-type', 'x-api-key', 'authorization', 'x-player-token', 'cache-control'],
      ])
      expect(headers.has('access-control-allow-credentials')).toBe(false)
    },
  )

  test('D6: OPTIONS without the headers of a preflight request is not a preflight request', async () => {
    expectGatewayRefusal(await call('OPTIONS /product', { headers: { origin } }), notFound)
  })

  test('D6: errors can be read from other origins, including those of API Gateway', async () => {
    const failures = [
      await call('GET /nothing', { headers: { origin } }),
      await call('GET /product', { headers: { origin } }),
      await call('DELETE /product/contract', {
        apiKey: await newProduct(),
        headers: { origin },
        query: { contractAddress: newAddress(), chain: 'BSC' },
      }),
    ]
    expect(failures.map(({ status }) => status)).toEqual([404, 401, 404])
    for (const { headers } of failures) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-expose-headers')).toMatch(
        /^retry-after,www-authenticate,apigw-requestid$/i,
      )
    }
  })

  test('D61: pages of other origins can read the request id, also of successes', async () => {
    const headers = { origin }
    const answers = [
      await call('GET /public-key', { headers }),
      await call('GET /product', { headers }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 401])
    for (const answer of answers) {
      expect(answer.headers.get('apigw-requestid')).toMatch(/./)
      expect(answer.headers.get('access-control-expose-headers')).toMatch(/apigw-requestid/i)
    }
  })

  test('D6: a response to a request without an origin has no CORS headers', async () => {
    const { headers } = await call('GET /public-key')
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  })
})
