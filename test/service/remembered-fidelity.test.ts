import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { createWorld } from '../../local/indexer/world.ts'
import { tableOf } from '../support/aws/table.ts'
import { objectText, putDocuments } from '../support/data/json-documents.ts'
import { lineOf } from '../support/requests/log-lines.ts'
import { productWith } from '../support/requests/reading.ts'
import { withoutTime } from '../support/requests/without-time.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { seed } from '../support/vitest/seeded.ts'

const world = createWorld()
const indexer = await startTestIndexer(world, afterAll)
const service = await startOwnService(
  { INDEXER_URL: indexer.url, REMEMBER_SECONDS: '3600' },
  afterAll,
)

/** Puts NFTs with these documents into a wallet, and reads them twice. */
async function readTwice(texts: readonly string[], tokenUri?: string) {
  const wallet = newAddress()
  const documents = texts.map((metadata) => ({ metadata }))
  const contract = putDocuments(world, wallet, documents, () => tokenUri ?? '')
  const apiKey = await productWith(service, contract)
  const { playerToken } = await service.newPlayer([wallet])
  const read = async () => {
    const answer = await service.call('GET /player/tokens/raw', { apiKey, playerToken })
    expect(answer.status).toBe(200)
    return { text: withoutTime(answer.text), counts: await lineOf(service.log, answer) }
  }
  return { wallet, first: await read(), second: await read() }
}

/** Expects that the second answer is remembered, and has each document as it is. */
async function expectFaithful(texts: readonly string[], tokenUri?: string): Promise<void> {
  const { first, second } = await readTwice(texts, tokenUri)
  expect(first.counts).toMatchObject({ readingsKept: 1 })
  expect(second.counts).toMatchObject({ readingsUsed: 1 })
  expect(second.counts).not.toHaveProperty('indexerCalls')
  expect(second.text).toBe(first.text)
  const shown = texts.map((text) => `"rawMetadata":${text}}`)
  expect(shown.filter((text) => !second.text.includes(text))).toEqual([])
}

const characters = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))
const escaped = characters.map((_, code) => `\\u00${code.toString(16).padStart(2, '0')}`)

describe('D65: a remembered answer is the same to the byte', () => {
  test.each<[string, string]>([
    ['every byte, escaped', `{"a":"${escaped.join('')}"}`],
    ['every byte, as it is', `{"a":"${characters.slice(0x20).join('').replace(/["\\]/g, '')}"}`],
    ['characters of every length in UTF-8', '{"a":"~\u00e9\u20ac\ufeff\uffff\u{1f5e1}\u{10ffff}"}'],
    ['lone surrogates', '{"a":"\\ud800","b":"\\uDC00","\\udfff":"\\udc00\\ud800"}'],
    ['numbers of any size', `{"a":1e400,"b":-0,"c":5.0,"d":${2n ** 256n - 1n},"e":1E-999}`],
    ['keys that are repeated', '{"a":1,"a":2,"10":0,"2":0,"a":{"b":1,"b":1}}'],
    ['keys with a meaning', '{"__proto__":{"a":1},"constructor":null,"toJSON":0,"then":{}}'],
    ['white space', '{ \t"a" \r\n : [ 1 ,\n\n2 ] ,"b":{ }\t }'],
    ['what looks like a kept answer', '{"form":1,"pages":[[[0,"1","1","","{}",null]]],"x":"]]}"}'],
    ['a document of 300 KB', `{"a":"${'é'.repeat(150_000)}"}`],
  ])('%s', async (_, text) => {
    await expectFaithful(['{"first":1}', text, '{"last":1.0}'])
  })

  test('300 generated documents', async () => {
    await expectFaithful(fc.sample(objectText, { seed, numRuns: 300 }))
  })

  test('a link with a lone surrogate', async () => {
    await expectFaithful(['{}'], 'onchain:\ud800')
  })
})

describe('D65: an answer near the size of an item', () => {
  /** A document that compresses to about three quarters. */
  const dense = (length: number) =>
    `{"a":"${randomBytes(length).toString('base64').slice(0, length)}"}`

  test('is kept if it fits', async () => {
    await expectFaithful([dense(250_000), dense(240_000)])
  })

  test('D91: is kept in parts if it does not fit', async () => {
    await expectFaithful([dense(290_000), dense(290_000), '{"last":1.0}'])
  })

  test('D91: is neither kept nor changed if an NFT alone does not fit, and is counted', async () => {
    const { wallet, first, second } = await readTwice([dense(700_000), '{}'])
    expect(second.text).toBe(first.text)
    for (const { counts } of [first, second]) {
      expect(counts).toMatchObject({ readingsTooLarge: 1, indexerCalls: 1 })
      expect(counts).not.toHaveProperty('readingsKept')
    }
    expect(await tableOf(service).itemsUnder(`WALLET#${wallet}`)).toEqual([])
  })
})
