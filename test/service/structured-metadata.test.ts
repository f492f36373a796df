import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { createWorld } from '../../local/indexer/world.ts'
import { jsonText, numberText, putDocuments } from '../support/data/json-documents.ts'
import { productWith } from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { seed } from '../support/vitest/seeded.ts'

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

/** The structured metadata of NFTs with these documents, all read in one response. */
async function formatted(...documents: readonly string[]) {
  const wallet = newAddress()
  const contract = putDocuments(
    world,
    wallet,
    documents.map((metadata) => ({ metadata })),
  )
  const apiKey = await productWith(service, contract)
  const { playerToken } = await service.newPlayer([wallet])
  const { json } = await service.call('GET /player/tokens', { apiKey, playerToken })
  expect(json.data).toHaveLength(documents.length)
  return json.data.map((entry: Record<string, unknown>) => entry['formattedMetadata'])
}

/** The formatted members for each value of a member, read in one response. */
async function members(name: string, documents: readonly string[]) {
  const all = await formatted(...documents)
  return all.map((metadata: Record<string, unknown>) => metadata[name])
}

const nothing = { name: '', description: '', image: null, attributes: [] }

describe('D28: name and description', () => {
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

describe('D28: image', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => `https://images.example/${name}.png`)

  test('is the first of image, image_url and imageUrl that is a URL', async () => {
    const images: [string, string | null | undefined][] = [
      [`{"imageUrl":"${c}","image_url":"${b}","image":"${a}"}`, a],
      [`{"imageUrl":"${c}","image_url":"${b}","image":"a.png"}`, b],
      [`{"imageUrl":"${c}","image_url":"","image":null}`, c],
      [`{"imageUrl":"${c}","image_url":{},"image":7}`, c],
      [`{"image":["${a}"],"picture":"${b}"}`, null],
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
    ['ar://x-_1/a.png', 'https://arweave.gateway.example/x-_1/a.png'],
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

describe('D28: attributes', () => {
  /** The formatted attributes for an `attributes` member. */
  const attributesOf = async (...texts: string[]) =>
    await members(
      'attributes',
      texts.map((text) => `{"attributes":${text}}`),
    )

  test('are named by name, otherwise by trait_type', async () => {
    const list = [
      '{"trait_type":"Rig","value":"Cutter"}',
      '{"trait_type":"Rig","name":"rig","value":"Cutter"}',
      '{"value":"Cutter","name":"rig"}',
      '{"trait_type":"Rig","name":null,"value":"Cutter","display_type":"number"}',
    ]
    const [attributes] = await attributesOf(`[${list}]`)
    expect(attributes).toEqual(
      ['Rig', 'rig', 'rig', 'Rig'].map((name) => ({ name, value: 'Cutter' })),
    )
  })

  test.each([
    ['"as it is"', 'as it is'],
    ['"5.0"', '5.0'],
    ['""', ''],
    ['"\\u00e9\\n\\""', 'é\n"'],
    ['2', '2'],
    ['5.0', '5.0'],
    ['-0', '-0'],
    ['1e400', '1e400'],
    ['1.50E+3', '1.50E+3'],
    ['12345678901234567890', '12345678901234567890'],
    ['true', 'true'],
    ['false', 'false'],
    ['{"grid":[4, "C"],"10":1,"2":5.0}', '{"grid":[4, "C"],"10":1,"2":5.0}'],
    ['[null,1.0]', '[null,1.0]'],
  ])('2.4: the value %s is %j as text', async (source, value) => {
    const expected = [{ name: 'a', value }]
    expect(await attributesOf(`[{"trait_type":"a","value":${source}}]`, `{"a":${source}}`)).toEqual(
      [expected, expected],
    )
  })

  test('are omitted without a name or a value', async () => {
    const left = [
      '{"value":"no name"}',
      '{"trait_type":"no value"}',
      '{"trait_type":"null","value":null}',
      '{"trait_type":null,"name":"","value":1}',
      '{"trait_type":{},"value":1}',
      '{}',
      'null',
      '"text"',
      '7',
      '["name","value"]',
    ]
    const [attributes] = await attributesOf(`[${left},{"name":"kept","value":0},${left}]`)
    expect(attributes).toEqual([{ name: 'kept', value: '0' }])
  })

  test('of an object instead of an array are its members, name → value, in its order', async () => {
    expect(await attributesOf('{"10":1,"2":"two","gone":null,"__proto__":false}')).toEqual([
      [
        { name: '10', value: '1' },
        { name: '2', value: 'two' },
        { name: '__proto__', value: 'false' },
      ],
    ])
  })

  test('of anything else are empty', async () => {
    expect(await attributesOf('null', '"Rig: Cutter"', '7', 'true', '[]', '{}')).toEqual(
      Array(6).fill([]),
    )
  })

  test('of 500 generated documents match their sources', async () => {
    const written = fc.oneof(
      fc.string({ unit: 'grapheme' }).map((text) => ({ text: JSON.stringify(text), value: text })),
      numberText.map((text) => ({ text, value: text })),
      jsonText.filter((text) => /^[[{tf]/.test(text)).map((text) => ({ text, value: text })),
    )
    const attribute = fc.record({
      key: fc.constantFrom('name', 'trait_type'),
      name: fc.string({ unit: 'grapheme', minLength: 1 }),
      written,
    })
    const documents = fc.sample(fc.array(attribute, { maxLength: 5 }), { seed, numRuns: 500 })
    const texts = documents.map((attributes) => {
      const list = attributes.map(({ key, name, written: { text } }) => {
        return `{ "${key}" : ${JSON.stringify(name)} ,"value": ${text} }`
      })
      return `[${list.join(' , ')}]`
    })
    expect(await attributesOf(...texts)).toEqual(
      documents.map((attributes) =>
        attributes.map(({ name, written: { value } }) => ({ name, value })),
      ),
    )
  })
})

test('D26, D28: unusual documents are formatted as far as possible', async () => {
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
