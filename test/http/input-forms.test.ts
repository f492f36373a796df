import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  allowlisting,
  capturedLog,
  errorsOf,
  goodApiKey,
  goodPlayerToken,
  goodUserJwt,
  invoke,
  keeping,
  kept,
  registration,
  type SentRequest,
} from '../support/memory/http-chain.ts'

const registerProduct = keeping('registerProduct')

beforeEach(() => {
  kept.input = undefined
  capturedLog()
})

const register = (request: SentRequest) => invoke(registerProduct, request)

describe('D53: fields that a body has more than once', () => {
  test.each([
    ['{"name":"Ember","contactEmail":"a@b","companyName":"Kiln","name":"Ash"}', 'name', 2],
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
  ])('D53: more than once, %s is no fault', async (_what, fields, rest) => {
    const body = JSON.stringify({ ...registration, ...fields }).replace(/\}$/, rest)
    expect((await register({ body })).statusCode).toBe(200)
    expect(kept.input?.['body']).toEqual({ ...registration, ...fields, extra: undefined })
  })
})

const headers = { 'x-api-key': goodApiKey }

const { contractAddress: address } = allowlisting

const player = `playerToken=${goodPlayerToken}&`

describe('D130: the form of raw metadata', () => {
  test.each([
    ['rawMetadata=json', 'must be text, or absent'],
    ['rawMetadata=TEXT', 'must be text, or absent'],
    ['rawMetadata=text&rawMetadata=text', 'was sent 2 times; send it once'],
  ])('4.8 refuses %s', async (query, message) => {
    const answer = await invoke(getRawMetadata, { headers, query: player + query })
    expect(errorsOf(answer)).toEqual([{ in: 'query', path: 'rawMetadata', message }])
  })

  test.each<[Parameters<typeof keeping>[0], SentRequest]>([
    ['getAllowedNfts', { headers }],
    ['unbindNfts', { headers, query: `contractAddress=${address}&chain=BSC&tokens=1&` }],
    ['getStructuredMetadata', { headers, query: player }],
    ['getPlayerDetails', { query: player }],
    ['refreshMetadata', { headers, body: { smartContract: address } }],
  ])('%s takes none, and ignores one without a value', async (id, sent) => {
    const operation = keeping(id)
    const message = 'is a parameter of GET /player/tokens/raw only'
    const request = (query: string) =>
      invoke(operation, { ...sent, query: (sent.query ?? '') + query })
    expect(errorsOf(await request('rawMetadata=text'))).toEqual([
      { in: 'query', path: 'rawMetadata', message },
    ])
    await request('rawMetadata=')
    expect(kept.input).toBeDefined()
  })
})

test('D130: a problem that repeats a name is well-formed', async () => {
  const body = { ...allowlisting, 'chain[\ud83e': 'BSC' }
  const answer = await invoke(keeping('allowlistNfts'), { headers, body })
  expect(errorsOf(answer)).toMatchObject([{ path: 'chain[�' }])
})

const refreshMetadata = keeping('refreshMetadata')
const json = JSON.stringify({ smartContract: address })
const gzip = gzipSync(json)
const base64 = gzip.toString('base64')

const refresh = (encoding: string | undefined, more: SentRequest = {}) => {
  const headers = {
    'x-api-key': goodApiKey,
    ...(encoding !== undefined && { 'content-encoding': encoding }),
  }
  return invoke(refreshMetadata, { body: json, headers, ...more })
}

describe('D136: a compressed body is 415, and the answer says what is read', () => {
  test.each<[string, string | undefined, SentRequest]>([
    ['gzip', 'gzip', { body: base64, isBase64Encoded: true }],
    ['gzip without its header', undefined, { body: base64, isBase64Encoded: true }],
    ['gzip that a host took for text', undefined, { body: gzip.toString() }],
    ['br', 'br', {}],
    ['two encodings', 'gzip, identity', {}],
  ])('%s', async (_, encoding, more) => {
    const answer = await refresh(encoding, more)
    expect([answer.statusCode, answer.json.code]).toEqual([415, 'unsupported_media_type'])
    expect(answer.json.detail).toBe(
      'Send the body without compression, and without Content-Encoding.',
    )
    expect(answer.headers).toMatchObject({ 'accept-encoding': 'identity' })
  })

  test.each(['identity', 'Identity', '', 'utf-8'])(
    'Content-Encoding %j is none',
    async (encoding) => {
      expect((await refresh(encoding)).statusCode).toBe(200)
    },
  )
})

const getRawMetadata = keeping('getRawMetadata')
const createPlayerToken = keeping('createPlayerToken')

describe('RFC 9110 section 5.1: header names in any case', () => {
  test.each([
    ['x-api-key', 'x-player-token'],
    ['X-Api-Key', 'X-Player-Token'],
    ['X-API-KEY', 'x-Player-token'],
  ])('%s and %s', async (apiKey, playerToken) => {
    const headers = { [apiKey]: goodApiKey, [playerToken]: goodPlayerToken }
    expect((await invoke(getRawMetadata, { headers })).statusCode).toBe(200)
  })

  test.each(['authorization', 'Authorization', 'AUTHORIZATION'])('%s', async (name) => {
    const headers = { Host: 'localhost', [name]: `Bearer ${goodUserJwt}` }
    expect((await invoke(createPlayerToken, { headers })).statusCode).toBe(200)
  })

  test.each(['content-type', 'Content-Type'])('%s', async (name) => {
    const request = { body: registration, headers: { [name]: 'text/plain' } }
    expect((await invoke(registerProduct, request)).json.code).toBe('unsupported_media_type')
  })

  test('values of names that differ only in case are joined, and none of them is used alone', async () => {
    const other = goodApiKey.replace('2', '3')
    for (const headers of [
      { 'x-api-key': goodApiKey, 'X-Api-Key': other },
      { 'X-Api-Key': other, 'x-api-key': goodApiKey },
      { 'X-API-KEY': goodApiKey, 'X-Api-Key': goodApiKey },
    ]) {
      const { json } = await invoke(getRawMetadata, { headers })
      expect(json.code).toBe('invalid_api_key')
    }
  })

  test('names of Object.prototype are headers like any other', async () => {
    const headers = { Constructor: 'x', __PROTO__: 'x', 'X-Api-Key': goodApiKey }
    const query = `playerToken=${goodPlayerToken}`
    expect((await invoke(getRawMetadata, { headers, query })).statusCode).toBe(200)
  })
})
