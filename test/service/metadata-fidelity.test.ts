import { createWorld } from '@player-nfts/local/indexer/world'
import { afterAll, expect, test } from 'vitest'
import { putDocuments } from '../support/data/json-documents.ts'
import { productWith } from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

interface Structured {
  formattedMetadata: { image: string | null; attributes: unknown[] }
  attributesLeftOut?: number
}

const world = createWorld()
const indexer = await startTestIndexer(world, afterAll)
const service = await startOwnService(
  {
    INDEXER_URL: indexer.url,
    IPFS_GATEWAY: 'https://ipfs.gateway.example/ipfs/',
    ARWEAVE_GATEWAY: 'https://arweave.gateway.example/',
  },
  afterAll,
)

/** Somebody who reads NFTs with these documents. */
async function readerOf(documents: readonly string[], tokenUriOf?: (tokenId: string) => string) {
  const wallet = newAddress()
  const sources = documents.map((metadata) => ({ metadata }))
  const contract = putDocuments(world, wallet, sources, tokenUriOf)
  const apiKey = await productWith(service, contract)
  const { playerToken } = await service.newPlayer([wallet])
  const read = (path: string, query: Record<string, string> = {}) =>
    service.call(`GET ${path}`, { apiKey, playerToken, query })
  return { read, wallet, address: contract.address }
}

/** The answer with the structured metadata of these documents, and its reader. */
async function structured(documents: readonly string[]) {
  const { read } = await readerOf(documents)
  const { json } = await read('/player/tokens')
  expect(json.data).toHaveLength(documents.length)
  return { read, json }
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

test('D26: raw metadata is unmodified, to the byte, and no document affects another', async () => {
  const documents = Object.values(nasty)
  const { read, wallet, address } = await readerOf(documents)
  const { text } = await read('/player/tokens/raw')
  const entries = documents.map((document, index) =>
    [
      `{"tokenId":"${index + 1}","address":"${address}","chain":"POLYGON"`,
      `"owner":"${wallet}","balance":"1","metadataLink":""`,
      `"rawMetadata":${document}}`,
    ].join(),
  )
  const { asOf } = JSON.parse(text)
  expect(text).toBe(`{"data":[${entries}],"success":true,"asOf":"${asOf}"}`)
})

test('D130: raw metadata as text is the same documents, and half a surrogate pair is no text elsewhere', async () => {
  const documents = Object.values(nasty)
  const { read } = await readerOf(documents, () => 'onchain:\ud83e')
  const { json } = await read('/player/tokens/raw', { rawMetadata: 'text' })
  for (const [index, entry] of json.data.entries()) {
    expect(entry).toMatchObject({ rawMetadataText: documents[index], metadataLink: 'onchain:�' })
    expect(entry).not.toHaveProperty('rawMetadata')
  }
  const half = await structured(['{"name":"a\\ud83e","image":"https://a.example/\\ud83e"}'])
  const [{ formattedMetadata }] = half.json.data
  expect(formattedMetadata.name).toBe('a�')
  expect(formattedMetadata.image.isWellFormed()).toBe(true)
})

test('D130: pages are measured in the form that is sent, and a cursor is valid for both forms', async () => {
  // As an object each takes 2 MB of an answer, and as text 4 MB.
  const { read } = await readerOf(Array(2).fill(`{"a":"${'\\"'.repeat(500_000)}"}`))
  const asText = { rawMetadata: 'text' }
  expect((await read('/player/tokens/raw')).json.data).toHaveLength(2)
  const { data, nextCursor: cursor } = (await read('/player/tokens/raw', asText)).json
  expect(data).toHaveLength(1)
  for (const form of [{}, asText]) {
    const { json } = await read('/player/tokens/raw', { cursor, ...form })
    expect([json.data.length, json.data[0].tokenId, json.nextCursor]).toEqual([1, '2', undefined])
  }
})

test('D27: the links of token URIs', async () => {
  const links: [tokenUri: string, link: RegExp][] = [
    // The indexer’s HTTP form of the token URI.
    ['ipfs://bafy/7', /^https:\/\/.*\/ipfs\/bafy\/7$/],
    ['https://meta.example/7?x=1&y="2"', /^https.*7\?x=1&y="2"$/],
    ['onchain:7', /^onchain:7$/],
    ['data:application/json,{"a":"b"}', /^data:.*\{"a":"b"\}$/],
    // With the identifier for {id} (D134), also in its HTTP form.
    ['onchain:{id}', /^onchain:0{63}5$/],
    ['ipfs://bafy/{id}', /^https:\/\/.*\/ipfs\/bafy\/0{63}6$/],
    ['', /^$/],
  ]
  const documents = links.map(() => '{}')
  const { read } = await readerOf(documents, (tokenId) => links[Number(tokenId) - 1]?.[0] ?? '')
  for (const path of ['/player/tokens/raw', '/player/tokens']) {
    const { json } = await read(path)
    const found = json.data.map(({ metadataLink }: { metadataLink: string }) => metadataLink)
    expect(found).toEqual(links.map(([, link]) => expect.stringMatching(link)))
  }
})

test('D134: pictures lead to the gateways of the deployment', async () => {
  const images = ['ipfs://ipfs/bafy/a#1.png', 'ar://x-_1/a.png', 'https://images.example/{id}.png']
  const { json } = await structured(images.map((image) => JSON.stringify({ image })))
  expect(json.data.map(({ formattedMetadata }: Structured) => formattedMetadata.image)).toEqual([
    'https://ipfs.gateway.example/ipfs/bafy/a%231.png',
    'https://arweave.gateway.example/x-_1/a.png',
    `https://images.example/${'0'.repeat(63)}3.png`,
  ])
})
