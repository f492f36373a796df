import { beforeEach, describe, expect, test } from 'vitest'
import { type OperationId, routes } from '../../functions/operations.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import {
  type Asked,
  capturedLog,
  goodApiKey,
  goodPlayerToken,
  invoke,
  keeping,
  kept,
} from '../support/memory/http-chain.ts'

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

const headers = { 'x-api-key': goodApiKey }

const address = `0x${'a'.repeat(40)}`

describe('specification 4: the requests that it shows are accepted', () => {
  const allowlisting = {
    contractAddress: address,
    contractDescription: 'lanterns and kites',
    tokens: ['1'],
  }
  const registration = {
    name: 'Ember',
    description: 'A game of kites.',
    contactEmail: 'a@b.example',
    companyName: 'Kiln',
    companyDescription: 'Five people and a kiln.',
  }

  test.each<[string, OperationId, Parameters<typeof invoke>[1]]>([
    ['4.1 with website', 'registerProduct', { body: { ...registration, website: 'a.b' } }],
    ['4.1 with websiteLink', 'registerProduct', { body: { ...registration, websiteLink: 'a.b' } }],
    ['4.2', 'getProduct', {}],
    ['4.3', 'allowlistNfts', { body: { ...allowlisting, chain: 'BSC' } }],
    ['4.4', 'getAllowedNfts', {}],
    ['4.5', 'unbindContract', { query: `contractAddress=${address}&chain=BSC` }],
    ['4.6', 'unbindNfts', { query: `contractAddress=${address}&tokens=1&tokens=2&chain=BSC` }],
    ['4.7', 'refreshMetadata', { body: { smartContract: address } }],
    ['4.8', 'getRawMetadata', { query: `playerToken=${goodPlayerToken}&chains=BSC&chains=AMOY` }],
    ['4.9', 'getStructuredMetadata', { query: `playerToken=${goodPlayerToken}&chains=BSC` }],
    ['4.12', 'getPlayerDetails', { query: `playerToken=${goodPlayerToken}` }],
  ])('D34: %s', async (_, id, asked) => {
    capturedLog()
    expect((await invoke(keeping(id), { ...asked, headers })).statusCode).toBe(200)
  })
})

const player = `playerToken=${goodPlayerToken}&`

/** The invalid fields of an error response. */
const errorsOf = ({ statusCode, json }: Awaited<ReturnType<typeof invoke>>) => {
  expect([statusCode, json.code]).toEqual([400, 'invalid_request'])
  expect(kept.input).toBeUndefined()
  return json.errors
}

beforeEach(() => {
  kept.input = undefined
  capturedLog()
})

describe('D130: the form of raw metadata', () => {
  const getRawMetadata = keeping('getRawMetadata')

  test.each([
    ['rawMetadata=json', 'must be text, or absent'],
    ['rawMetadata=TEXT', 'must be text, or absent'],
    ['rawMetadata=text&rawMetadata=text', 'was sent 2 times; send it once'],
  ])('4.8 refuses %s', async (query, message) => {
    const answer = await invoke(getRawMetadata, { headers, query: player + query })
    expect(errorsOf(answer)).toEqual([{ in: 'query', path: 'rawMetadata', message }])
  })

  test.each<[Parameters<typeof keeping>[0], Asked]>([
    ['getAllowedNfts', { headers }],
    ['unbindNfts', { headers, query: `contractAddress=${address}&chain=BSC&tokens=1&` }],
    ['getStructuredMetadata', { headers, query: player }],
    ['getPlayerDetails', { query: player }],
    ['refreshMetadata', { headers, body: { smartContract: address } }],
  ])('%s takes none, and ignores one without a value', async (id, sent) => {
    const operation = keeping(id)
    const message = 'is a parameter of GET /player/tokens/raw only'
    const asked = (query: string) =>
      invoke(operation, { ...sent, query: (sent.query ?? '') + query })
    expect(errorsOf(await asked('rawMetadata=text'))).toEqual([
      { in: 'query', path: 'rawMetadata', message },
    ])
    await asked('rawMetadata=')
    expect(kept.input).toBeDefined()
  })
})

test('D130: a problem that repeats a name is well-formed', async () => {
  const body = {
    contractAddress: address,
    contractDescription: 'lanterns and kites',
    tokens: ['1'],
  }
  const answer = await invoke(keeping('allowlistNfts'), {
    headers,
    body: { ...body, 'chain[\ud83e': 'BSC' },
  })
  expect(errorsOf(answer)).toMatchObject([{ path: 'chain[�' }])
})
