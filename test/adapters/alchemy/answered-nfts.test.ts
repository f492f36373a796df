import { describe, expect, test } from 'vitest'
import { tokenIdOf } from '../../../lib/domain/allowlist/token-id.ts'
import type { MetadataFault } from '../../../lib/domain/nft/owned-nft.ts'
import {
  askPage,
  contract,
  elsewhere,
  expectMalformed,
  failureOf,
  inTime,
  nftJson,
  nftWith,
  onBsc,
  pageJson,
  pageOf,
  stubIndexer,
} from './alchemy-stub.ts'

/** The NFTs that are read from a page of these. */
const nftsIn = async (...nfts: string[]) => (await pageOf(pageJson(nfts))).nfts

/** The metadata of these documents, read from a page between two ordinary documents. */
async function read(...documents: string[]) {
  const nfts = ['{"first":1}', ...documents, '{"last":1}'].map((document, index) =>
    nftWith(document, { tokenId: `"${index}"` }),
  )
  const metadata = (await nftsIn(...nfts)).map((nft) => nft.metadata)
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
    expect(await nftsIn(...nfts)).toHaveLength(nfts.length)
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
    for (const { metadata, metadataLink } of await nftsIn(...nfts)) {
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
    const [nft, neighbour] = await nftsIn(nftJson({ raw }), nftJson({ tokenId: '"2"' }))
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
    expect(await nftsIn(nftJson({ raw }))).toMatchObject([{ metadata: { text: '{"old":1}' } }])
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
    expect((await nftsIn(nftJson({ tokenUri, raw })))[0]?.metadataLink).toBe(expected)
  })
})

const rawWith = (error: string) => `{"tokenUri":"","metadata":{},"error":${JSON.stringify(error)}}`
const raw = rawWith('Token does not exist')

/** The NFTs of a page with these members of one NFT, beside an ordinary one. */
const readWith = async (members: Record<string, string | undefined>) =>
  (await nftsIn(nftJson(), nftJson(members))).map(({ tokenId, balance }) => [tokenId, balance])

/** Expects that these members of an NFT, beside an ordinary one, make the answer malformed. */
const expectMalformedWith = (members: Record<string, string | undefined>, reason: string) =>
  expectMalformed(
    pageJson([nftJson(), nftJson(members)]),
    ({ indexer }) => askPage(indexer),
    reason,
  )

describe('D135: an NFT without a token identifier or a balance', () => {
  test.each<[string, Record<string, string | undefined>]>([
    ['neither', { tokenId: undefined, balance: undefined, raw }],
    ['no token identifier', { tokenId: 'null', raw }],
    ['no balance', { tokenId: '"7"', balance: 'null', raw }],
    ['the error in its other place', { tokenId: undefined, error: '"Token does not exist."' }],
  ])('is left out if the indexer says that it does not exist: %s', async (_, members) => {
    expect(await readWith(members)).toEqual([['1', '1']])
  })

  test('counts as sent', async () => {
    const nfts = [1, 2].map(() => nftJson({ tokenId: undefined, raw }))
    expect(await nftsIn(...nfts)).toEqual([])
  })

  test.each<[string, Record<string, string | undefined>]>([
    ['no error', { tokenId: undefined }],
    ['another error', { tokenId: undefined, raw: rawWith('Token uri timed out') }],
    ['a longer text', { tokenId: '""', raw: rawWith('It is not so that: Token does not exist') }],
  ])('fails otherwise, and the reason names the contract: %s', async (_, members) => {
    const reason = `an NFT without a token identifier, of POLYGON ${contract}`
    await expectMalformedWith(members, reason)
  })

  test('and the reason names the token if the NFT does', async () => {
    const reason = `an NFT without a balance, POLYGON ${contract} 17`
    await expectMalformedWith({ tokenId: '"0x11"', balance: undefined }, reason)
  })

  test('of another contract fails, whether it exists or not', async () => {
    const members = { contract: `{"address":"${elsewhere}"}`, tokenId: undefined, raw }
    await expectMalformedWith(members, 'an NFT of another contract')
  })

  test('is missing in a batch of metadata, as one that the indexer does not send', async () => {
    const nft = nftJson({ tokenId: undefined, raw })
    const { indexer } = await stubIndexer(`{"nfts":[${nft}]}`)
    const tokenIds = [tokenIdOf(1n)]
    const query = { contract: onBsc, tokenIds, fromSource: false, deadline: inTime() }
    expect(await indexer.metadata(query)).toMatchObject([{ tokenId: '1', isMissing: true }])
  })

  test('is left out of the NFTs of a contract', async () => {
    const nfts = [{ tokenId: '1' }, { error: 'Token does not exist' }]
    const { indexer } = await stubIndexer(JSON.stringify({ nfts }))
    const query = { contract: onBsc, limit: 100, deadline: inTime() }
    expect(await indexer.contractNfts(query)).toEqual({ tokenIds: ['1'] })
  })
})

describe('D135: a balance', () => {
  test.each([
    ['"3"', '3'],
    ['3', '3'],
    ['9007199254740993', '9007199254740993'],
    [`${2n ** 256n - 1n}`, `${2n ** 256n - 1n}`],
  ])('of %s is %s', async (balance, expected) => {
    expect(await readWith({ tokenId: '"2"', balance })).toEqual([
      ['1', '1'],
      ['2', expected],
    ])
  })

  test('of 0 as a number is not in the wallet', async () => {
    expect(await readWith({ tokenId: '"2"', balance: '0' })).toEqual([['1', '1']])
  })
})
