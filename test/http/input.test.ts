import { beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import {
  allowlisting,
  callers,
  capturedLog,
  goodApiKey,
  goodPlayerToken,
  invoke,
  keeping,
  kept,
  registration,
  type SentRequest,
} from '../support/memory/http-chain.ts'

const registerProduct = keeping('registerProduct')
const unbindNfts = keeping('unbindNfts')
const getRawMetadata = keeping('getRawMetadata')

beforeEach(() => {
  kept.input = undefined
  capturedLog()
})

const register = (request: SentRequest) =>
  invoke(registerProduct, { body: registration, ...request })
const withKey = (query: string) => ({ query, headers: { 'x-api-key': goodApiKey } })

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

  test('D3: a missing body, and bytes that are not UTF-8, are invalid_json', async () => {
    expect(refusal(await invoke(registerProduct))).toEqual(['invalid_json'])
    const body = Buffer.from([0x22, 0xff, 0x22]).toString('base64')
    expect(refusal(await register({ body, isBase64Encoded: true }))).toEqual(['invalid_json'])
  })

  test('D4: base64 bodies are decoded', async () => {
    const body = Buffer.from(JSON.stringify({ ...registration, name: 'Émber' })).toString('base64')
    expect((await register({ body, isBase64Encoded: true })).statusCode).toBe(200)
    expect(kept.input?.['body']).toMatchObject({ name: 'Émber' })
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

describe('D11: the chains that a deployment opens for allowlisting', () => {
  const allowlistOnAmoy = handlerOf(
    routes.allowlistNfts,
    { ...callers, openChains: ['AMOY'] },
    async (input) => {
      kept.input = input
      return { data: [] }
    },
  )
  const allowlist = (fields: object) => {
    const body = { ...allowlisting, ...fields }
    return invoke(allowlistOnAmoy, { body, headers: { 'x-api-key': goodApiKey } })
  }

  test('D11: an open chain is accepted', async () => {
    expect((await allowlist({ chain: 'AMOY' })).statusCode).toBe(200)
    expect(kept.input?.['body']).toMatchObject({ chain: 'AMOY' })
  })

  test('D2, D11: a chain that is not open is named together with the other invalid fields', async () => {
    const { json } = await allowlist({ chain: 'POLYGON', tokens: [] })
    expect(json.errors).toEqual([
      { in: 'body', path: 'chain', message: 'must be one of AMOY' },
      { in: 'body', path: 'tokens', message: 'must have at least 1 token identifier' },
    ])
  })
})

describe('D4: query parameters', () => {
  const { contractAddress: address } = allowlisting
  const unbind = (query: string) => invoke(unbindNfts, withKey(query))
  const read = (query: string) =>
    invoke(getRawMetadata, withKey(`playerToken=${goodPlayerToken}&${query}`))

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
