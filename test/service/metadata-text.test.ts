import { afterAll, describe, expect, test } from 'vitest'
import { createWorld, type SourceAnswer } from '../../local/indexer/world.ts'
import { putDocuments } from '../support/data/json-documents.ts'
import { productWith } from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

const world = createWorld()
const indexer = await startTestIndexer(world, afterAll)
const service = await startOwnService({ INDEXER_URL: indexer.url }, afterAll)

/** A reader of the NFTs with these documents, all in one wallet. */
async function readerOf(sources: readonly SourceAnswer[], tokenUri = '') {
  const wallet = newAddress()
  const contract = putDocuments(world, wallet, sources, () => tokenUri)
  const apiKey = await productWith(service, contract)
  const { playerToken } = await service.newPlayer([wallet])
  return async (path: string, query: Record<string, string> = {}) => {
    const answer = await service.call(`GET ${path}`, { apiKey, playerToken, query })
    expect(answer.status, answer.text).toBe(200)
    return answer
  }
}

const raw = '/player/tokens/raw'
const asText = { rawMetadata: 'text' }
const documents = [
  '{"name":"Fox \\ud83e"}',
  `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
  '{"a":1E400, "b":5.0,"10":12345678901234567890,"2":null}',
  '{"\\"rawMetadata\\"":"\\\\\\ud800\u2028 \\u0000"}',
]

describe('D130: raw metadata as text', () => {
  test('is the same document, in the place of the object', async () => {
    const read = await readerOf(documents.map((metadata) => ({ metadata })))
    const [object, text] = [await read(raw), await read(raw, asText)]
    expect(
      text.json.data.map(({ rawMetadataText }: Record<string, unknown>) => rawMetadataText),
    ).toEqual(documents)
    const expected = documents.reduce(
      (body, document) =>
        body.replace(
          `"rawMetadata":${document}}`,
          () => `"rawMetadataText":${JSON.stringify(document)}}`,
        ),
      object.text,
    )
    expect(text.text.replace(/"asOf".*/, '')).toBe(expected.replace(/"asOf".*/, ''))
  })

  test('is {} beside a metadataError', async () => {
    const read = await readerOf([{ metadata: '[1]' }])
    const [entry] = (await read(raw, asText)).json.data
    expect(entry).toMatchObject({ metadataError: 'not_an_object', rawMetadataText: '{}' })
    expect(entry).not.toHaveProperty('rawMetadata')
  })

  test('pages are measured in the form that is sent, and a cursor is valid for both forms', async () => {
    // As an object each takes 2 MB of an answer, and as text 4 MB.
    const metadata = `{"a":"${'\\"'.repeat(500_000)}"}`
    const read = await readerOf([{ metadata }, { metadata }])
    expect((await read(raw)).json.data).toHaveLength(2)
    const { data, nextCursor: cursor } = (await read(raw, asText)).json
    expect(data).toHaveLength(1)
    for (const form of [{}, asText]) {
      const next = await read(raw, { cursor, ...form })
      expect(next.json.data.map(({ tokenId }: { tokenId: string }) => tokenId)).toEqual(['2'])
      expect(next.json).not.toHaveProperty('nextCursor')
    }
    const half = (await read(raw, { limit: '1' })).json
    expect((await read(raw, { cursor: half.nextCursor, ...asText })).json.data).toHaveLength(1)
  })
})

describe('D130: texts of metadata are well-formed', () => {
  const half = '\\ud83e'
  const metadata = `{"name":"${half}","description":"a${half}","image":"https://a.example/${half}","attributes":[
    {"trait_type":"b${half}","value":"${half}c"},{"name":"d","value":["${half}"]}]}`

  test('in structured metadata', async () => {
    const read = await readerOf([{ metadata }], 'onchain:\ud83e')
    const { text, json } = await read('/player/tokens')
    expect(text).not.toMatch(/[^\\]\\ud83e/)
    expect(json.data[0]).toMatchObject({
      metadataLink: 'onchain:�',
      formattedMetadata: {
        name: '�',
        description: 'a�',
        image: expect.stringMatching(/^https:\/\/a\.example\/./),
        attributes: [
          { name: 'b�', value: '�c' },
          { name: 'd', value: `["${half}"]` },
        ],
      },
    })
  })

  test.each([['https:'], ['ipfs:'], ['ar:'], ['data:image/svg+xml;utf8,<svg>']])(
    'in an image of %s',
    async (scheme) => {
      const read = await readerOf([{ metadata: `{"image":"${scheme}//a/${half}.png"}` }])
      const [{ formattedMetadata }] = (await read('/player/tokens')).json.data
      expect(formattedMetadata.image.isWellFormed()).toBe(true)
    },
  )

  test('in the links of raw metadata, whose documents stay as they are', async () => {
    const read = await readerOf([{ metadata }], 'onchain:\ud83e')
    const { text, json } = await read(raw)
    expect(json.data[0].metadataLink).toBe('onchain:�')
    expect(text).toContain(`"rawMetadata":${metadata}}`)
  })
})
