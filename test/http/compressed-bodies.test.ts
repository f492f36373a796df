import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Asked,
  capturedLog,
  goodApiKey,
  invoke,
  keeping,
} from '../support/memory/http-chain.ts'

const refreshMetadata = keeping('refreshMetadata')
const json = JSON.stringify({ smartContract: `0x${'a'.repeat(40)}` })
const gzip = gzipSync(json)
const base64 = gzip.toString('base64')

const refresh = (encoding: string | undefined, more: Asked = {}) => {
  const headers = {
    'x-api-key': goodApiKey,
    ...(encoding !== undefined && { 'content-encoding': encoding }),
  }
  return invoke(refreshMetadata, { body: json, headers, ...more })
}

beforeEach(() => void capturedLog())

describe('D136: a compressed body is 415, and the answer says what is read', () => {
  test.each<[string, string | undefined, Asked]>([
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
