import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { createWorld } from '../../local/indexer/world.ts'
import { putDocuments } from '../support/data/json-documents.ts'
import { metadataForms } from '../support/data/metadata-forms.ts'
import { productWith } from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { seed } from '../support/vitest/seeded.ts'

interface Structured {
  formattedMetadata: { attributes: unknown[] }
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

/** The response with NFTs with these documents, and who reads it. */
async function read(documents: readonly string[]) {
  const wallet = newAddress()
  const contract = putDocuments(
    world,
    wallet,
    documents.map((metadata) => ({ metadata })),
  )
  const apiKey = await productWith(service, contract)
  const { playerToken } = await service.newPlayer([wallet])
  const reader = { apiKey, playerToken }
  const { json } = await service.call('GET /player/tokens', reader)
  expect(json.data).toHaveLength(documents.length)
  return { reader, json }
}

/** The structured metadata of NFTs with these documents, all read in one response. */
async function formatted(...documents: readonly string[]) {
  const { json } = await read(documents)
  return json.data.map(({ formattedMetadata }: Structured) => formattedMetadata)
}

/** The formatted members for each value of a member, read in one response. */
async function members(name: string, documents: readonly string[]) {
  const all = await formatted(...documents)
  return all.map((metadata: Record<string, unknown>) => metadata[name])
}

const nothing = { name: '', description: '', image: null, attributes: [] }

describe('D134: name and description', () => {
  test('are text, and "" when absent', async () => {
    expect(
      await formatted(
        '{"name":"Low Spindle","description":"A \\"lamp\\"\\n\\ud83d\\udd6f"}',
        '{}',
        '{"name":null,"description":null}',
        '{"name":{"en":"Lamp"},"description":["x"]}',
        '{"name":"first","name":"last"}',
        '{"nested":{"name":"deeper"},"description":"\\ud800"}',
      ),
    ).toEqual([
      { ...nothing, name: 'Low Spindle', description: 'A "lamp"\n🕯' },
      nothing,
      nothing,
      nothing,
      { ...nothing, name: 'last' },
      { ...nothing, description: '\ufffd' },
    ])
  })
})

describe('D134: image', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => `https://images.example/${name}.png`)

  test('is the first of image, image_url and imageUrl that is a URL', async () => {
    const images: [string, string | null | undefined][] = [
      [`{"imageUrl":"${c}","image_url":"${b}","image":"${a}"}`, a],
      [`{"imageUrl":"${c}","image_url":"${b}","image":"a.png"}`, b],
      [`{"imageUrl":"${c}","image_url":"","image":null}`, c],
      [`{"imageUrl":"${c}","image_url":{},"image":7}`, c],
      [`{"image":[{"url":"${a}"}],"picture":"${b}"}`, a],
      [`{"picture":"${b}"}`, null],
      ['{}', null],
    ]
    const documents = images.map(([document]) => document)
    expect(await members('image', documents)).toEqual(images.map(([, image]) => image))
  })

  test.each<[string, string | null]>([
    ['https://images.example/a.png?x=1#y', 'https://images.example/a.png?x=1#y'],
    ['http://images.example/a.png', 'http://images.example/a.png'],
    ['HTTPS://images.example/a.png', 'HTTPS://images.example/a.png'],
    ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
    ['ipfs://bafy/a.png', 'https://ipfs.gateway.example/ipfs/bafy/a.png'],
    ['ipfs://ipfs/bafy/a.png', 'https://ipfs.gateway.example/ipfs/bafy/a.png'],
    ['ipfs://bafy/a#1.png', 'https://ipfs.gateway.example/ipfs/bafy/a%231.png'],
    ['ar://x-_1/a.png', 'https://arweave.gateway.example/x-_1/a.png'],
    ['https://images.example/{id}.png', `https://images.example/${'0'.repeat(63)}1.png`],
    ['data:text/html,<script>', null],
    ['javascript:alert(1)', null],
    ['ftp://images.example/a.png', null],
    ['//images.example/a.png', null],
    ['a.png', null],
    ['', null],
  ])('%s becomes %s', async (image, expected) => {
    expect(await members('image', [JSON.stringify({ image })])).toEqual([expected])
  })
})

test('D26, D134: 500 generated documents lose no entry of a known form, and raw metadata is as the indexer sends it', async () => {
  const documents = fc.sample(metadataForms, { seed, numRuns: 500 })
  const { reader, json } = await read(documents.map(({ text }) => text))
  const found = json.data.map(
    ({ formattedMetadata: { attributes }, attributesLeftOut: leftOut = 0 }: Structured) => ({
      attributes,
      leftOut,
    }),
  )
  expect(found).toEqual(documents.map(({ attributes, leftOut }) => ({ attributes, leftOut })))
  const raw = await service.call('GET /player/tokens/raw', reader)
  let at = 0
  for (const { text } of documents) {
    at = raw.text.indexOf(`"rawMetadata":${text}}`, at) + 1
    expect(at).toBeGreaterThan(0)
  }
})

test('D26, D134: unusual documents are formatted as far as possible', async () => {
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
  expect(
    await formatted(
      '{"__proto__":{"name":"polluter"},"constructor":null,"description":"kept"}',
      `{"name":"deep","boxes":${deep},"attributes":[{"name":"box","value":${deep}}]}`,
      '\n{\t"name"\r\n:\n"spaced" }'.trim(),
    ),
  ).toEqual([
    { ...nothing, description: 'kept' },
    { ...nothing, name: 'deep', attributes: [{ name: 'box', value: deep }] },
    { ...nothing, name: 'spaced' },
  ])
})
