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
const unbindNfts = keeping('unbindNfts')
const getRawMetadata = keeping('getRawMetadata')
const { contractAddress: address } = allowlisting
const apiKey = { 'x-api-key': goodApiKey }
const player = `playerToken=${goodPlayerToken}&`

beforeEach(() => {
  kept.input = undefined
  capturedLog()
})

const register = (request: SentRequest) =>
  invoke(registerProduct, { body: registration, ...request })

/** The code of an error response, and its invalid fields. */
const refusal = ({ json }: Awaited<ReturnType<typeof invoke>>) => [
  json.code,
  ...(json.errors ?? []).map(({ path }: { path: string }) => path),
]

describe('D4: bodies', () => {
  test('D4: unknown fields are ignored; null and "" in an optional field mean absent', async () => {
    const body = { ...registration, description: null, website: '', websiteLink: 'a.b', extra: 1 }
    expect((await register({ body })).statusCode).toBe(200)
    expect(kept.input?.['body']).toEqual({ ...registration, websiteLink: 'a.b' })
  })

  test('D4: null and "" in a required field are invalid', async () => {
    const body = { name: null, contactEmail: '' }
    const { json } = await register({ body })
    expect(json.errors).toEqual([
      { in: 'body', path: 'name', message: 'must be a string' },
      { in: 'body', path: 'contactEmail', message: 'must be 3 to 300 characters long' },
      { in: 'body', path: 'companyName', message: 'is required' },
    ])
  })

  test('names of Object.prototype are not fields', async () => {
    const body = '{"__proto__":{"name":"Ember","contactEmail":"a@b","companyName":"Kiln"}}'
    const named = ['name', 'contactEmail', 'companyName']
    expect(refusal(await register({ body }))).toEqual(['invalid_request', ...named])
  })

  test.each(['[]', 'null', '"text"', '7', 'true', '[{}]'])(
    'D4: %s is not an object',
    async (body) => {
      const { json } = await register({ body })
      expect(json.errors).toEqual([{ in: 'body', path: '', message: 'must be a JSON object' }])
      expect(json.detail).toBe('The body must be a JSON object.')
    },
  )

  test.each(['', '{', "{'a':1}", '{"a":1,}', 'NaN', '\u0000', `${'['.repeat(100_000)}`])(
    'D3: %.10j is invalid_json',
    async (body) => expect(refusal(await register({ body }))).toEqual(['invalid_json']),
  )

  test('D3: the problem of an empty body says that it is empty', async () => {
    for (const request of [{}, { body: '' }, { body: '', isBase64Encoded: true }]) {
      const { json } = await invoke(registerProduct, request)
      expect(json.detail).toBe('The body is empty; send a JSON object.')
    }
  })

  test('D4, D16: a decoded body of 1 MiB is read, one byte more is refused', async () => {
    const text = JSON.stringify({ ...registration, pad: 'é'.repeat(1_000) })
    const exact = text + ' '.repeat(1_048_576 - Buffer.byteLength(text))
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    expect((await register({ body: exact })).statusCode).toBe(200)
    expect((await register({ body: base64(exact), isBase64Encoded: true })).statusCode).toBe(200)
    expect(refusal(await register({ body: `${exact} ` }))).toEqual(['payload_too_large'])
    expect(refusal(await register({ body: base64(`${exact} `), isBase64Encoded: true }))).toEqual([
      'payload_too_large',
    ])
  })

  test.each(['application/json', 'Application/JSON; charset=utf-8', ' application/json ;x', ''])(
    'D4: Content-Type %j means JSON',
    async (type) => {
      expect((await register({ headers: { 'content-type': type } })).statusCode).toBe(200)
    },
  )

  test.each(['text/plain', 'application/jsonp', 'application/x-www-form-urlencoded', 'json'])(
    'D4: Content-Type %j does not, whatever the body',
    async (type) => {
      const headers = { 'content-type': type }
      expect(refusal(await register({ headers, body: '{' }))).toEqual(['unsupported_media_type'])
    },
  )
})

describe('D4: query parameters', () => {
  const unbind = (query: string) => invoke(unbindNfts, { headers: apiKey, query })
  const read = (query: string) => invoke(getRawMetadata, { headers: apiKey, query: player + query })

  test('D4: escapes are decoded, an escaped comma included', async () => {
    await unbind(`contract%41ddress=${address}&chain=BS%43&tokens=1%2C2`)
    expect(kept.input?.['query']).toMatchObject({ chain: 'BSC', tokens: ['1', '2'] })
  })

  test('D4: a repeated scalar is invalid, also with the same value', async () => {
    const answer = await unbind(`contractAddress=${address}&chain=BSC&chain=BSC&tokens=1`)
    expect(refusal(answer)).toEqual(['invalid_request', 'chain'])
    expect(refusal(await read('limit=5&limit=5'))).toEqual(['invalid_request', 'limit'])
  })

  test('D2: every invalid field is named, with its index in a list', async () => {
    const answer = await unbind('contractAddress=0x1&tokens=1,-1,,2&tokens=')
    const paths = ['contractAddress', 'tokens.1', 'tokens.2', 'tokens.4', 'chain']
    expect(refusal(answer)).toEqual(['invalid_request', ...paths])
    expect(answer.json.detail).toMatch(/^contractAddress must be .* There are 5 such fields\.$/)
    expect(answer.json.errors[0].in).toBe('query')
  })

  test.each([
    'chains',
    'chains=',
    'chains=,',
    'chains=&chains=',
    'chains[]=',
    'chains[0]=&chains[]=,',
    'limit=',
    'cursor=',
    'cursor=&limit=',
  ])('D13: %s is an absent filter', async (query) => {
    await read(query)
    expect(kept.input?.['query']).toEqual({})
  })

  test('a broken escape is not a defect', async () => {
    expect(refusal(await read('chains=%E0%A4%A'))).toEqual(['invalid_request', 'chains.0'])
    expect((await read('%ff=%')).statusCode).toBe(200)
  })
})

describe('D35: a long list of invalid fields', () => {
  const message = 'must be an unsigned 256-bit integer, as decimal or 0x hexadecimal text'

  test.each([
    [100, ''],
    [101, '; the first 100 are listed, the other 1 are not'],
    [10_000, '; the first 100 are listed, the other 9900 are not'],
  ])('D35: of %i, at most the first 100 are listed', async (count, rest) => {
    const body = { ...allowlisting, tokens: Array(count).fill('x') }
    const answer = await invoke(keeping('allowlistNfts'), { headers: apiKey, body })
    expect(errorsOf(answer)).toEqual(
      Array.from({ length: 100 }, (_, index) => ({ in: 'body', path: `tokens.${index}`, message })),
    )
    expect(answer.json.detail).toBe(`tokens.0 ${message}. There are ${count} such fields${rest}.`)
  })
})

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

describe('D130: the form of raw metadata', () => {
  test.each([
    ['rawMetadata=json', 'must be text, or absent'],
    ['rawMetadata=TEXT', 'must be text, or absent'],
    ['rawMetadata=text&rawMetadata=text', 'was sent 2 times; send it once'],
  ])('4.8 refuses %s', async (query, message) => {
    const answer = await invoke(getRawMetadata, { headers: apiKey, query: player + query })
    expect(errorsOf(answer)).toEqual([{ in: 'query', path: 'rawMetadata', message }])
  })

  test.each<[Parameters<typeof keeping>[0], SentRequest]>([
    ['getAllowedNfts', { headers: apiKey }],
    ['unbindNfts', { headers: apiKey, query: `contractAddress=${address}&chain=BSC&tokens=1&` }],
    ['getStructuredMetadata', { headers: apiKey, query: player }],
    ['getPlayerDetails', { query: player }],
    ['refreshMetadata', { headers: apiKey, body: { smartContract: address } }],
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
  const answer = await invoke(keeping('allowlistNfts'), { headers: apiKey, body })
  expect(errorsOf(answer)).toMatchObject([{ path: 'chain[�' }])
})

const json = JSON.stringify({ smartContract: address })
const gzip = gzipSync(json)
const base64 = gzip.toString('base64')

const refresh = (encoding: string | undefined, more: SentRequest = {}) => {
  const headers = { ...apiKey, ...(encoding !== undefined && { 'content-encoding': encoding }) }
  return invoke(keeping('refreshMetadata'), { body: json, headers, ...more })
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

describe('RFC 9110 section 5.1: header names in any case', () => {
  const other = goodApiKey.replace('2', '3')

  test.each([
    ['getRawMetadata', { 'X-Api-Key': goodApiKey, 'X-Player-Token': goodPlayerToken }, undefined],
    ['getRawMetadata', { 'X-API-KEY': goodApiKey, 'x-Player-token': goodPlayerToken }, undefined],
    ['createPlayerToken', { Host: 'a', AUTHORIZATION: `Bearer ${goodUserJwt}` }, undefined],
    ['registerProduct', { 'Content-Type': 'text/plain' }, 'unsupported_media_type'],
    // Values of names that differ only in case are joined, and none of them is used alone.
    ['getRawMetadata', { 'x-api-key': goodApiKey, 'X-Api-Key': other }, 'invalid_api_key'],
    ['getRawMetadata', { 'X-Api-Key': other, 'x-api-key': goodApiKey }, 'invalid_api_key'],
    ['getRawMetadata', { 'X-API-KEY': goodApiKey, 'X-Api-Key': goodApiKey }, 'invalid_api_key'],
    // Names of Object.prototype are headers like any other.
    ['getProduct', { Constructor: 'x', __PROTO__: 'x', 'X-Api-Key': goodApiKey }, undefined],
  ] as const)('%s with %j', async (id, headers, code) => {
    expect((await invoke(keeping(id), { body: registration, headers })).json.code).toBe(code)
  })
})
