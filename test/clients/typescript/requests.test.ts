import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type ClientOptions, PlayerNfts } from '../../../clients/typescript/src/index.ts'
import { serveScript, success } from './scripted-server.ts'

const secrets = { apiKey: 'secret-key', playerToken: 'secret-token', userJwt: 'secret-jwt' }
const contract = { contractAddress: '0x22d518c449312143be64cd547c510a1a4ebed207' }

async function clientAndRequests(options: Partial<ClientOptions> = secrets) {
  const { url, requests } = await serveScript(success([]))
  return { client: new PlayerNfts({ baseUrl: url, ...options }), requests, url }
}

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

  test('only the credentials that the operation takes', async () => {
    const { client, requests } = await clientAndRequests()
    await client.getPublicKey()
    await client.getProduct()
    await client.getPlayerDetails()
    await client.createPlayerToken({ productId: 'p' })
    await client.getRawMetadata({ playerToken: 'other' }).page()
    const sent = requests.map(({ headers, query }) => [
      headers['x-api-key'],
      headers['x-player-token'],
      headers.authorization,
      query.toString(),
    ])
    expect(sent).toEqual([
      [undefined, undefined, undefined, ''],
      ['secret-key', undefined, undefined, ''],
      [undefined, 'secret-token', undefined, ''],
      [undefined, undefined, 'Bearer secret-jwt', 'productId=p'],
      ['secret-key', 'other', undefined, ''],
    ])
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

  test('a credential that no header can have is rejected, without showing it', async () => {
    const { client, requests } = await clientAndRequests({ apiKey: 'secret\nkey' })
    const error = await client.getProduct().catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(TypeError)
    expect(inspect(error, { depth: null })).not.toContain('secret')
    expect(requests).toEqual([])
  })

  test('a wrong baseUrl is rejected', () => {
    for (const baseUrl of ['nfts.example.com', 'ftp://nfts.example.com', '']) {
      expect(() => new PlayerNfts({ baseUrl })).toThrow(TypeError)
    }
  })
})

test('neither the client nor an error shows a credential', async () => {
  const { client } = await clientAndRequests(secrets)
  const wrong = new PlayerNfts({ baseUrl: 'http://127.0.0.1:1', ...secrets, maxRetries: 0 })
  const error = await wrong
    .getRawMetadata()
    .page()
    .catch((failure: unknown) => failure)
  expect(inspect([client, error], { depth: null, showHidden: true })).not.toContain('secret')
  expect(JSON.stringify([client, error])).not.toContain('secret')
})
