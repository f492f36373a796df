import { describe, expect, test } from 'vitest'
import type { MetadataFault } from '../../../lib/domain/nft/owned-nft.ts'
import {
  always,
  askPage,
  failureOf,
  nftJson,
  nftWith,
  pageJson,
  stubIndexer,
} from './alchemy-stub.ts'

/** The metadata of these documents, read from a page between two ordinary documents. */
async function read(...documents: string[]) {
  const nfts = ['{"first":1}', ...documents, '{"last":1}'].map((document, index) =>
    nftWith(document, { tokenId: `"${index}"` }),
  )
  const { indexer } = await stubIndexer(always(pageJson(nfts)))
  const metadata = (await askPage(indexer)).nfts.map((nft) => nft.metadata)
  expect(metadata.at(0)).toEqual({ text: '{"first":1}' })
  expect(metadata.at(-1)).toEqual({ text: '{"last":1}' })
  return metadata.slice(1, -1)
}

describe('D26: metadata is the text in the indexer’s response, byte for byte', () => {
  test.each([
    '{"price":5.0,"big":12345678901234567890,"tiny":1E-7,"minus":-0}',
    '{"10":1,"2":2,"b":null,"a":{"c":null}}',
    '{ "a" :\r\n\t[ 1 , 2 ] }',
    '{"a":1,"a":2}',
    '{"name":"\\u00e9é🗡\\ud83d\\udde1\\/","lone":"\\ud800"}',
    '{"raw":{"metadata":{"x":1}},"ownedNfts":[],"pageKey":"}"}',
    '{}',
    '{ }',
  ])('%s', async (document) => {
    expect(await read(document)).toEqual([{ text: document }])
  })
})

describe('D26: unusual metadata does not affect other NFTs', () => {
  const levels = 400_000
  const deep = `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
  const hostile = [
    '{"constructor":null}',
    '{"constructor":{"name":"Object"},"toString":1,"hasOwnProperty":null}',
    '{"__proto__":{"polluted":true}}',
    '{"toJSON":1,"then":null,"length":-1}',
    deep,
  ]

  test('as a document', async () => {
    expect(await read(...hostile)).toEqual(hostile.map((text) => ({ text })))
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('in the members that the indexer derives from it', async () => {
    const names = [
      'name',
      'description',
      'image',
      'collection',
      'mint',
      'contract2',
      'acquiredAt',
      '__proto__',
    ]
    const nfts = [...hostile, '[[null]]', '7'].map((strange, index) =>
      nftJson({
        tokenId: `"${index}"`,
        ...Object.fromEntries(names.map((name) => [name, strange])),
      }),
    )
    const { indexer } = await stubIndexer(always(pageJson(nfts)))
    expect((await askPage(indexer)).nfts).toHaveLength(nfts.length)
  })

  test('in the contract, the links and the error', async () => {
    const nfts = hostile.map((strange, index) =>
      nftJson({
        tokenId: `"${index}"`,
        contract: `{"address":"0x${'c1'.repeat(20)}","openSeaMetadata":${strange},"spamClassifications":${strange}}`,
        tokenUri: strange,
        raw: `{"tokenUri":${strange},"metadata":{},"error":${strange},"__proto__":${strange}}`,
      }),
    )
    const { indexer } = await stubIndexer(always(pageJson(nfts)))
    for (const { metadata, metadataLink } of (await askPage(indexer)).nfts) {
      expect(metadata).toEqual({ text: '{}', fault: 'not_available' })
      expect(metadataLink).toBe('')
    }
  })

  test('a page of large documents', async () => {
    const documents = Array.from(
      { length: 20 },
      (_, n) => `{"n":${n},"x":"${'é'.repeat(400_000)}"}`,
    )
    expect(await read(...documents)).toEqual(documents.map((text) => ({ text })))
  })
})

describe('D26: missing metadata has a reason', () => {
  const mebibyte = 1_048_576
  const sized = (bytes: number) => `{"é":"${'x'.repeat(bytes - 9)}"}`

  test.each<[string, string, MetadataFault]>([
    ['no metadata', '{"error":null}', 'not_available'],
    ['null', '{"metadata":null}', 'not_available'],
    ['an empty object with an error', '{"metadata":{ },"error":"timeout"}', 'not_available'],
    ['no raw metadata', '[]', 'not_available'],
    ['an array', '{"metadata":[{}]}', 'not_an_object'],
    ['a number', '{"metadata":7}', 'not_an_object'],
    ['a boolean', '{"metadata":false}', 'not_an_object'],
    ['a string that contains JSON', '{"metadata":"{\\"a\\":1}"}', 'not_an_object'],
    ['more than 1 MiB', `{"metadata":${sized(mebibyte + 1)}}`, 'too_large'],
  ])('%s', async (_, raw, fault) => {
    const { indexer } = await stubIndexer(
      always(pageJson([nftJson({ raw }), nftJson({ tokenId: '"2"' })])),
    )
    const [nft, neighbour] = (await askPage(indexer)).nfts
    expect(nft?.metadata).toEqual({ text: '{}', fault })
    expect(neighbour?.metadata).toEqual({ text: '{}' })
  })

  test('1 MiB is not too large', async () => {
    const document = sized(mebibyte)
    expect(Buffer.byteLength(document)).toBe(mebibyte)
    expect(await read(document)).toEqual([{ text: document }])
  })

  test('a document beside an error is returned', async () => {
    const raw = '{"metadata":{"old":1},"error":"timeout"}'
    const { indexer } = await stubIndexer(always(pageJson([nftJson({ raw })])))
    expect((await askPage(indexer)).nfts[0]?.metadata).toEqual({ text: '{"old":1}' })
  })

  test.each([
    '{"a":1,}',
    '{"a":tru}',
    '{"a":"\\x"}',
    '{"a":"\n"}',
    '{a:1}',
    '{"a":1',
    '',
    '{"a":01}',
  ])('a document that is not JSON rejects the whole response (D30): %j', async (document) => {
    expect((await failureOf(read(document))).reason).toBe(
      document.includes('"\\x"') || document.includes('\n')
        ? 'malformed answer: not JSON'
        : 'malformed answer: not a JSON object',
    )
  })
})

describe('D27: the metadata link', () => {
  const long = `data:application/json,${'x'.repeat(262_144)}`

  test.each([
    ['the indexer’s HTTP form', '"https://g.example/1"', '"ipfs://Qm/1"', 'https://g.example/1'],
    ['otherwise the contract’s', 'null', '"ipfs://Qm/1"', 'ipfs://Qm/1'],
    ['also when the other is not an HTTP URI', '"ipfs://Qm/2"', '"ipfs://Qm/1"', 'ipfs://Qm/1'],
    ['the other, without the contract’s', '"ipfs://Qm/2"', 'null', 'ipfs://Qm/2'],
    ['otherwise empty', 'null', '""', ''],
    ['empty for a link that is not a text', '{"gateway":"x"}', '7', ''],
    ['empty for a data URI of more than 256 KiB', 'null', JSON.stringify(long), ''],
  ])('%s', async (_, tokenUri, rawTokenUri, expected) => {
    const raw = `{"tokenUri":${rawTokenUri},"metadata":{}}`
    const { indexer } = await stubIndexer(always(pageJson([nftJson({ tokenUri, raw })])))
    expect((await askPage(indexer)).nfts[0]?.metadataLink).toBe(expected)
  })
})
