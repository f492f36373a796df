import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Asked,
  capturedLog,
  goodApiKey,
  goodPlayerToken,
  invoke,
  keeping,
  kept,
} from '../support/memory/http-chain.ts'

const headers = { 'x-api-key': goodApiKey }
const address = `0x${'a'.repeat(40)}`
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
