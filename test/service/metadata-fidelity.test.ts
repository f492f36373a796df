import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { createWorld, type SourceAnswer } from '../../local/indexer/world.ts'
import { objectText, putDocuments } from '../support/data/json-documents.ts'
import { productWith } from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { seed } from '../support/vitest/seeded.ts'

const world = createWorld()
const indexer = await startTestIndexer(world, afterAll)
const service = await startOwnService({ INDEXER_URL: indexer.url }, afterAll)

/** A document of a source, or the failure of the source, with the expected members of the entry. */
interface Case {
  source: SourceAnswer
  /** The expected reason for missing metadata, if `{}` is expected in its place. */
  fault?: string
  tokenUri?: string
  link?: string
}

const document = (metadata: string): Case => ({ source: { metadata } })

/**
 * Reads NFTs with these documents, all in one wallet, and expects the response character by character, so
 * that each text is unmodified and no document affects another.
 */
async function expectFidelity(cases: readonly Case[]): Promise<void> {
  const wallet = newAddress()
  const contract = putDocuments(
    world,
    wallet,
    cases.map(({ source }) => source),
    (tokenId) => cases[Number(tokenId) - 1]?.tokenUri ?? '',
  )
  const apiKey = await productWith(service, contract)
  const { playerToken } = await service.newPlayer([wallet])
  const { text } = await service.call('GET /player/tokens/raw', { apiKey, playerToken })
  const entries = cases.map(({ source, fault, link = '' }, index) =>
    [
      `{"tokenId":"${index + 1}","address":"${contract.address}","chain":"POLYGON"`,
      `"owner":"${wallet}","balance":"1","metadataLink":${JSON.stringify(link)}`,
      ...(fault ? [`"metadataError":"${fault}"`] : []),
      `"rawMetadata":${fault ? '{}' : source.metadata}}`,
    ].join(),
  )
  const { asOf } = JSON.parse(text)
  expect(text).toBe(`{"data":[${entries}],"success":true,"asOf":"${asOf}"}`)
}

const levels = 10_000

const nasty: Record<string, string> = {
  'keys in their order, "10" before "2"': '{"b":1,"10":"first","2":"second","a":0}',
  'members that are null': '{"name":null,"nested":{"image":null},"list":[null]}',
  'numbers as they are written': '{"a":5.0,"b":-0,"c":1E-7,"d":1.50e+10,"e":0.10}',
  'numbers that no double holds': '{"a":1e400,"b":-1e400,"c":5e-400,"d":0.1000000000000000055}',
  'integers of 20 and of 78 digits': `{"a":12345678901234567890,"b":${2n ** 256n - 1n}}`,
  'a __proto__ key': '{"__proto__":{"isAdmin":true},"name":"polluter"}',
  'a __proto__ that is null': '{"__proto__":null}',
  'a constructor key': '{"constructor":null,"prototype":{}}',
  'keys that are called': '{"toJSON":1,"toString":null,"then":{},"hasOwnProperty":0,"length":-1}',
  'duplicate keys': '{"a":1,"a":2,"b":{"c":1,"c":1}}',
  'arrays 10,000 levels deep': `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`,
  'objects 10,000 levels deep': `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
  'lone surrogates, escaped': '{"high":"\\ud800","low":"\\uDC00","swapped":"\\udc00\\ud800"}',
  'escapes as they are written':
    '{"a":"\\u0041\\/\\u00e9\\ud83d\\udde1\\b\\f","\\u006b":"\\u0000"}',
  'white space of every kind': '{ \t"a" \r\n : [ 1 ,\n\n2 ] ,"b":{ }\t }',
  'characters that end lines in JavaScript': '{"a":"\u2028\u2029\u0085","\u2028":"\ufeff"}',
  'the whole of Unicode': '{"é":"Žofie 提灯 🗡️ \u{10ffff} \uffff","\u0301":"\u202e"}',
  'text that looks like the answer around it':
    '{"rawMetadata":{"success":true},"x":"}],\\"data\\":["}',
  'text that looks like the indexer’s answer':
    '{"ownedNfts":[],"pageKey":"x","raw":{"metadata":{}}}',
  'markup and control pictures': '{"a":"<script>alert(1)</script>","b":"%00%0d%0a\\u001b[31m"}',
  'an empty object': '{}',
  'an empty object with room': '{ }',
}

describe('D26: raw metadata is unmodified, to the byte', () => {
  test.each(Object.entries(nasty))('%s', async (_, text) => {
    await expectFidelity([document('{"first":1}'), document(text), document('{"last":1.0}')])
  })

  test('all of them in one wallet', async () => {
    await expectFidelity(Object.values(nasty).map(document))
  })

  test('500 generated documents', async () => {
    await expectFidelity(fc.sample(objectText, { seed, numRuns: 500 }).map(document))
  })
})

describe('D26: missing metadata is {}, and the entry names the reason', () => {
  const mebibyte = 1_048_576
  const sized = (bytes: number) => `{"é":"${'x'.repeat(bytes - 9)}"}`

  test.each<[string, SourceAnswer, string]>([
    ['a source that fails', { metadata: '{}', error: 'Token uri timed out' }, 'not_available'],
    ['a source that contains null', { metadata: 'null' }, 'not_available'],
    ['an array', { metadata: '[{"name":"x"}]' }, 'not_an_object'],
    ['a string, even if it contains an object', { metadata: '"{\\"a\\":1}"' }, 'not_an_object'],
    ['a number', { metadata: '5.0' }, 'not_an_object'],
    ['a boolean', { metadata: 'true' }, 'not_an_object'],
    ['one byte over 1 MiB', { metadata: sized(mebibyte + 1) }, 'too_large'],
    ['an array over 1 MiB', { metadata: `["${'x'.repeat(mebibyte)}"]` }, 'too_large'],
  ])('%s', async (_, source, fault) => {
    await expectFidelity([document('{"first":1}'), { source, fault }, document('{"last":1.0}')])
  })

  test('a document of exactly 1 MiB is returned, however few characters it has', async () => {
    const wide = `{"a":"${'é'.repeat((mebibyte - 8) / 2)}"}`
    expect(Buffer.byteLength(wide)).toBe(mebibyte)
    expect(Buffer.byteLength(sized(mebibyte))).toBe(mebibyte)
    await expectFidelity([document(wide), document(sized(mebibyte))])
  })

  test('an empty document of the source is no error', async () => {
    await expectFidelity([document('{}')])
  })
})

describe('D27: metadataLink', () => {
  test.each([
    ['the indexer’s HTTP form of the token URI', 'ipfs://bafy/7', /^https:\/\/.*\/ipfs\/bafy\/7$/],
    ['an HTTP token URI unchanged', 'https://meta.example/7?x=1&y="2"', /^https.*7\?x=1&y="2"$/],
    ['any other URI as the contract returns it', 'onchain:7', /^onchain:7$/],
    ['a URI that contains the document', 'data:application/json,{"a":"b"}', /^data:.*\{"a":"b"\}$/],
    ['with the identifier for {id} (D134)', 'onchain:{id}', /^onchain:0{63}1$/],
    ['with it also in its HTTP form', 'ipfs://bafy/{id}', /^https:\/\/.*\/ipfs\/bafy\/0{63}1$/],
    ['empty without a token URI', '', /^$/],
  ])('%s', async (_, tokenUri, expected) => {
    const wallet = newAddress()
    const contract = putDocuments(world, wallet, [{ metadata: '{}' }], () => tokenUri)
    const apiKey = await productWith(service, contract)
    const { playerToken } = await service.newPlayer([wallet])
    for (const path of ['GET /player/tokens/raw', 'GET /player/tokens']) {
      const { json } = await service.call(path, { apiKey, playerToken })
      expect(json.data[0].metadataLink).toMatch(expected)
    }
  })
})
