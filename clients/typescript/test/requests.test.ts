import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type ClientOptions, PlayerNfts, type ReadOptions } from '../src/index.ts'
import { clientOf, errorOf, success } from './scripted-server.ts'

const secrets = { apiKey: 'secret-key', playerToken: 'secret-token', userJwt: 'secret-jwt' }
const contract = { contractAddress: '0x22d518c449312143be64cd547c510a1a4ebed207' }

const clientAndRequests = (options: Partial<ClientOptions> = secrets) =>
  clientOf([success([])], options)

describe('a request has', () => {
  test('a body for POST and PATCH, with null as null', async () => {
    const { client, requests } = await clientAndRequests()
    await client.updateProduct({ website: null, description: undefined })
    await client.rotateKey({ keyId: 'a/b', overlapSeconds: 0 })
    expect(requests[0]).toMatchObject({ method: 'PATCH', body: '{"website":null}' })
    expect(requests[0]?.headers['content-type']).toBe('application/json')
    expect(requests[1]).toMatchObject({ body: '{"overlapSeconds":0}' })
    expect(requests[1]?.path).toBe('/api/public/v1/product/keys/a%2Fb/rotate')
  })

  test('a query for GET and DELETE, with repeated names for lists', async () => {
    const { client, requests } = await clientAndRequests()
    await client.unbindNfts({ ...contract, chain: 'BSC', tokens: ['1', 2n ** 200n, '4..5'] })
    await client.deleteProduct({ confirm: 'Tide & Crates' })
    await client.getStructuredMetadata({ chains: [], limit: undefined }).page()
    expect(requests[0]?.query.getAll('tokens')).toEqual(['1', String(2n ** 200n), '4..5'])
    expect(requests[0]?.body).toBe('')
    expect(requests[1]?.query.get('confirm')).toBe('Tide & Crates')
    expect(requests[2]?.query.toString()).toBe('')
  })

  test('the credential of the call in place of that of the client', async () => {
    const { client, requests } = await clientAndRequests()
    await client.getRawMetadata({ playerToken: 'other' }).page()
    expect(requests[0]?.headers).toMatchObject({
      'x-api-key': 'secret-key',
      'x-player-token': 'other',
    })
    expect(requests[0]?.query.size).toBe(0)
  })

  test('D51: the product in place of an API key, and not beside it', async () => {
    const { client, requests } = await clientAndRequests({ productId: 'mine', playerToken: 't' })
    await client.getStructuredMetadata().page()
    await client.getPlayerDetails()
    await client.withOptions({ apiKey: 'key' }).getStructuredMetadata().page()
    expect(requests.map(({ query }) => query.get('productId'))).toEqual(['mine', null, null])
  })

  test('the credential of the moment, headers and options of fetch', async () => {
    let key = 'first'
    const { client, requests } = await clientAndRequests({
      apiKey: async () => key,
      headers: { 'X-Trace': 'client', 'X-Other': 'client' },
    })
    await client.getProduct()
    key = 'second'
    await client.getProduct({ headers: { 'X-Trace': 'call' } })
    expect(requests.map(({ headers }) => headers['x-api-key'])).toEqual(['first', 'second'])
    expect(requests[1]?.headers).toMatchObject({ 'x-trace': 'call', 'x-other': 'client' })
  })
})

test('fetch can be replaced', async () => {
  const calls: [string, RequestInit][] = []
  const client = new PlayerNfts({
    baseUrl: 'https://nfts.example.com/api/public/v1/',
    fetchOptions: { keepalive: true },
    fetch: async (input, init) => {
      calls.push([String(input), init ?? {}])
      return Response.json({ data: { publicKey: 'k' }, success: true })
    },
  })
  expect(client.baseUrl).toBe('https://nfts.example.com')
  expect(await client.getPublicKey()).toEqual({ publicKey: 'k' })
  expect(calls[0]?.[0]).toBe('https://nfts.example.com/api/public/v1/public-key')
  expect(calls[0]?.[1]).toMatchObject({ redirect: 'manual', keepalive: true })
})

test('fetch is called without an object, as browsers require it for window.fetch', async () => {
  const objects: unknown[] = []
  async function fetch(this: unknown) {
    objects.push(this)
    return Response.json({ data: {}, success: true })
  }
  await new PlayerNfts({ baseUrl: 'https://nfts.example.com', fetch }).getPublicKey()
  expect(objects).toEqual([undefined])
})

test('options of fetch neither change the request nor follow a redirect', async () => {
  const { client, requests } = await clientAndRequests({
    fetchOptions: { method: 'POST', redirect: 'follow' } as object,
  })
  await client.getProduct({ fetchOptions: { redirect: 'follow', keepalive: true } })
  expect(requests[0]?.method).toBe('GET')
  const target = await clientAndRequests()
  const redirect = { status: 307, headers: { location: target.url }, json: {} }
  const redirected = await clientOf([redirect], { fetchOptions: { redirect: 'follow' } })
  await expect(redirected.client.getProduct()).rejects.toMatchObject({
    ...{ code: 'unexpected_answer', status: 307, detail: expect.stringContaining('redirect') },
  })
  expect(target.requests).toEqual([])
})

test.each([
  ['https://nfts.example.com/', 'https://nfts.example.com'],
  [' HTTPS://NFTS.example.com:443//\n', 'https://nfts.example.com'],
  ['https://example.com/nfts/api/public/v1/', 'https://example.com/nfts'],
  [new URL('http://127.0.0.1:3000/?'), 'http://127.0.0.1:3000'],
])('baseUrl %j is %s', (baseUrl, expected) => {
  expect(new PlayerNfts({ baseUrl }).baseUrl).toBe(expected)
})

describe('before a request', () => {
  test('a number as token identifier is rejected, by the types too', async () => {
    const { client, requests } = await clientAndRequests()
    const params = { ...contract, tokens: ['1', 5] }
    // @ts-expect-error: numbers lose digits.
    await expect(client.allowlistNfts(params)).rejects.toThrow(
      new TypeError(
        'tokens[1] must be text or a bigint, and is of type number: numbers lose digits above 2^53',
      ),
    )
    // @ts-expect-error: one identifier is no list.
    await expect(client.allowlistNfts({ ...contract, tokens: '1' })).rejects.toThrow(TypeError)
    expect(requests).toEqual([])
  })

  test.each([
    ['apiKey', { apiKey: 'secret\nkey' }],
    ['apiKey', { apiKey: () => 'secret 🔑' }],
    ['apiKey', { apiKey: async () => undefined as never }],
    ['X-Trace', { headers: { 'X-Trace': 'secret\r\nX-Api-Key: b' } }],
    ['X-Trace: a', { headers: { 'X-Trace: a': 'secret' } }],
  ])('a header that cannot be sent is rejected, without showing it: %s', async (name, options) => {
    const { client, requests } = await clientAndRequests(options)
    const error = await errorOf(client.getProduct())
    expect(error).toBeInstanceOf(TypeError)
    expect(error.message).toContain(`${name} `)
    expect(inspect(error, { depth: null })).not.toContain('secret')
    expect(requests).toEqual([])
  })

  test('a parameter that would lead to another operation is rejected', async () => {
    const { client, requests } = await clientAndRequests()
    for (const keyId of ['..', '.', '', 7 as never, undefined as never]) {
      await expect(client.endKey({ keyId })).rejects.toThrow(/^keyId must /)
    }
    await client.endKey({ keyId: '../..?a#%2e' })
    expect(requests.map(({ path }) => path)).toEqual([
      '/api/public/v1/product/keys/..%2F..%3Fa%23%252e',
    ])
  })

  test('a wrong baseUrl is rejected', () => {
    for (const baseUrl of ['nfts.example.com', 'ftp://nfts.example.com', '']) {
      expect(() => new PlayerNfts({ baseUrl })).toThrow(TypeError)
    }
    for (const part of ['/?stage=1', '/#a', '//u:secret@host']) {
      const baseUrl = `https:${part.startsWith('//') ? '' : '//nfts.example.com'}${part}`
      expect(() => new PlayerNfts({ baseUrl })).toThrow(/^baseUrl must not contain a [a-z ]+$/)
    }
  })
})

test('neither the client nor an error shows a credential', async () => {
  const { client } = await clientAndRequests(secrets)
  const wrong = new PlayerNfts({ baseUrl: 'http://127.0.0.1:1', ...secrets, maxRetries: 0 })
  const error = await errorOf(wrong.getRawMetadata().page())
  expect(inspect([client, error], { depth: null, showHidden: true })).not.toContain('secret')
  expect(JSON.stringify([client, error])).not.toContain('secret')
})

describe('D156: the age of an answer', () => {
  const sentBy = async (options: Partial<ClientOptions>, call: ReadOptions = {}) => {
    const { client, requests } = await clientAndRequests({ ...secrets, ...options })
    await client.getStructuredMetadata({}, call).page()
    await client.getRawMetadata({}, call).page()
    await client.getPlayerDetails({}, call)
    await client.getPlayerBalance({}, call)
    const headers = new Set(requests.map(({ headers }) => headers['cache-control']))
    expect(headers.size).toBe(1)
    return [...headers][0]
  }

  test.each<[string, Partial<ClientOptions>, ReadOptions, string | undefined]>([
    ['is left to the service', {}, {}, undefined],
    ['is limited by the call', {}, { maxAgeSeconds: 60 }, 'max-age=60'],
    ['is limited by the client', { maxAgeSeconds: 60 }, {}, 'max-age=60'],
    ['is 0, so that the service reads anew', {}, { maxAgeSeconds: 0 }, 'no-cache'],
    [
      'is greater while the indexer is down',
      { staleIfErrorSeconds: 3_600 },
      { maxAgeSeconds: 0 },
      'no-cache, stale-if-error=3600',
    ],
    [
      'is that of the call in place of that of the client',
      { maxAgeSeconds: 60, staleIfErrorSeconds: 60 },
      { maxAgeSeconds: 5, staleIfErrorSeconds: 0 },
      'max-age=5, stale-if-error=0',
    ],
    [
      'is that of a header of the caller',
      { maxAgeSeconds: 60 },
      { headers: { 'cache-control': 'max-age=1' } },
      'max-age=1',
    ],
  ])('%s', async (_, client, call, expected) => {
    expect(await sentBy(client, call)).toBe(expected)
  })

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '60' as never])(
    'cannot be %s seconds',
    async (seconds) => {
      const { client, requests } = await clientAndRequests()
      for (const name of ['maxAgeSeconds', 'staleIfErrorSeconds']) {
        const call = client.getPlayerDetails({}, { [name]: seconds })
        const message = `${name} must be a whole number of seconds, 0 or more`
        await expect(call).rejects.toThrow(new TypeError(message))
      }
      expect(requests).toEqual([])
    },
  )

  test('is in the answer, with whether it is stale', async () => {
    const asOf = '2026-11-23T04:00:00.000Z'
    const { client } = await clientOf([
      { json: { data: [], success: true, asOf, stale: true } },
      { json: { data: {}, success: true, asOf } },
    ])
    expect(await client.getStructuredMetadata().page()).toMatchObject({ asOf, stale: true })
    const answer = await client.getPlayerDetails().withResponse()
    expect(answer).toMatchObject({ asOf })
    expect(answer).not.toHaveProperty('stale')
  })
})
