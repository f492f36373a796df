import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attributesOf, memberTexts } from '../../../lib/domain/nft/attributes.ts'
import { structuredMetadata } from '../../../lib/domain/nft/structured-metadata.ts'
import { metadataForms } from '../../support/data/metadata-forms.ts'
import { check } from '../../support/vitest/seeded.ts'

const gateways = { ipfs: 'https://ipfs.io/ipfs/', arweave: 'https://arweave.net/' }

const answerOf = (json: string) => structuredMetadata(json, '1', gateways)

/** The structured metadata of a document, given as its source text or as a value. */
const read = (document: unknown) =>
  answerOf(typeof document === 'string' ? document : JSON.stringify(document)).formattedMetadata

const schemaTitle = 'Asset Metadata'

describe('D134: name and description', () => {
  test('D134: text is unchanged', () => {
    expect(read({ name: 'Kite', description: ' of paper\n\u2028"' })).toMatchObject({
      name: 'Kite',
      description: ' of paper\n\u2028"',
    })
  })

  test.each(['{}', '{"name":null,"description":null}', '{"name":[],"description":{}}'])(
    'D134: "" when absent: %s',
    (json) => expect(read(json)).toMatchObject({ name: '', description: '' }),
  )

  test('D134: a number is written as in the source', () => {
    expect(read('{"name":5.0,"description":12345678901234567890}')).toMatchObject({
      name: '5.0',
      description: '12345678901234567890',
    })
  })

  test.each<[object, string]>([
    [{ title: 'title', Name: 'Name', name: 'name' }, 'name'],
    [{ title: 'title', Name: 'Name', name: ' ' }, ' '],
    [{ title: 'title', Name: 'Name', name: '' }, 'Name'],
    [{ title: 'title', Name: 7, name: null }, '7'],
    [{ title: 'title', Name: {}, name: [] }, 'title'],
    [{ title: schemaTitle, name: schemaTitle }, schemaTitle],
    [{ title: schemaTitle, Name: '' }, ''],
    [{ title: null }, ''],
  ])('D134: the name of %j is %j', (document, name) => expect(read(document).name).toBe(name))

  test('of two members with the same key the last one counts, as in JSON.parse', () => {
    expect(read('{"name":"first","na\\u006de":"last"}').name).toBe('last')
  })
})

describe('D26: unusual metadata does no harm', () => {
  const depth = 10_000
  const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`
  const objects = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

  test('D26: 10,000 levels deep', () => {
    expect(read(`{"deep":${deep},"image":${deep},"name":"Kite"}`).name).toBe('Kite')
    const attributes = [{ name: 'n', value: deep }]
    expect(read(`{"attributes":[{"name":"n","value":${deep}}]}`).attributes).toEqual(attributes)
    expect(read(`{"attributes":{"a":${objects}}}`).attributes).toHaveLength(1)
    for (const form of [deep, JSON.stringify(deep), `{"a":${objects}}`]) {
      expect(answerOf(`{"properties":${form}}`).attributesLeftOut).toBe(1)
    }
  })

  test('D26: keys of Object.prototype', () => {
    const json = '{"__proto__":{"name":"x"},"constructor":null,"toString":1,"hasOwnProperty":2}'
    expect(read(json)).toEqual({ name: '', description: '', image: null, attributes: [] })
  })

  test('any JSON object results in text values', () => {
    const key = fc.constantFrom(
      ...['name', 'Name', 'title', 'description', 'image', 'image_data', 'url', 'value', 'key'],
      ...['attributes', 'traits', 'properties', 'trait_type'],
    )
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom('<svg>\ud800#%', 'ipfs://\udfff %', 'data:image/svg+xml,%2', '[{"a":'),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
        tie('tree').map((value) => JSON.stringify(value)),
      ),
    }))
    check(
      fc.property(fc.dictionary(key, tree), fc.constantFrom(undefined, 2), (document, indent) => {
        const { name, description, image, attributes } = read(
          JSON.stringify(document, null, indent),
        )
        expect([typeof name, typeof description]).toEqual(['string', 'string'])
        expect(image === null || URL.canParse(image)).toBe(true)
        for (const attribute of attributes) {
          expect(attribute).toEqual({ name: expect.any(String), value: expect.any(String) })
          expect(attribute.name).not.toBe('')
        }
      }),
      500,
    )
  })
})

test('D134: no entry in a known form is lost, and each other entry is counted', () => {
  check(
    fc.property(metadataForms, ({ text, attributes, leftOut }) => {
      const answer = answerOf(text)
      expect(answer.formattedMetadata.attributes).toEqual(attributes)
      expect(answer.attributesLeftOut).toBe(leftOut || undefined)
    }),
    2_000,
  )
})

describe('D134: the shapes of recorded NFTs', () => {
  // One of each shape. Two lines for each: the document, and what docs/metadata.md says of it, written by hand.
  // Attributes are name and value.
  const lines = readFileSync(`${import.meta.dirname}/recorded-shapes.jsonl`, 'utf8').trim()
  const shapes = Array.from(
    lines.matchAll(/(.*)\n(.*)\n?/g),
    ([, document = '', expected = '']) => {
      const { attributes, attributesLeftOut, ...rest } = JSON.parse(expected)
      const named = attributes.map(([name, value]: string[]) => ({ name, value }))
      const formattedMetadata = { ...rest, attributes: named }
      return { document, expected: { formattedMetadata, attributesLeftOut } }
    },
  )

  test('D134: there are 46', () => expect(shapes).toHaveLength(46))

  test.each(shapes)('D134: $document', ({ document, expected }) => {
    expect(answerOf(document)).toEqual(expected)
  })
})

/** The names and values in a document, and the number of entries that were left out. */
function attributesIn(document: string) {
  const { attributes, leftOut } = attributesOf(memberTexts(document))
  return [attributes.map(({ name, value }) => [name, value]), leftOut]
}

const inAttributes = (json: string) => attributesIn(`{"attributes":${json}}`)
const hat = '{"trait_type":"Hat","value":"Red"}'
const hatOnly = [[['Hat', 'Red']], 0]

describe('D134: the source of attributes', () => {
  test.each([
    `{"traits":[${hat}]}`,
    `{"properties":[${hat}]}`,
    `{"properties":{"Hat":"No"},"traits":{"Hat":"No"},"attributes":[${hat}]}`,
    `{"attributes":[],"properties":{"Hat":"No"},"traits":[${hat}]}`,
    `{"attributes":null,"traits":{},"properties":[${hat}]}`,
  ])('D134: is the first of attributes, traits and properties with an entry: %s', (document) => {
    expect(attributesIn(document)).toEqual(hatOnly)
  })

  test('2.4: a document without any has no attributes', () => {
    expect(attributesIn('{"attribute":[{"name":"Hat","value":"Red"}]}')).toEqual([[], 0])
  })
})

test.each([
  ['2', '2'],
  ['5.0', '5.0'],
  ['-0', '-0'],
  ['1E+3', '1E+3'],
  ['12345678901234567890', '12345678901234567890'],
  ['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
  ['true', 'true'],
  ['false', 'false'],
  ['"5.0"', '5.0'],
  ['""', ''],
  ['"[1]"', '[1]'],
  ['"\\u00e9\\n"', 'é\n'],
  ['{ "b": 1.0, "10": null, "2": [ ] }', '{ "b": 1.0, "10": null, "2": [ ] }'],
  ['[1, "two"]', '[1, "two"]'],
])('2.4, D134: the value %s of an attribute is the text %j', (json, text) => {
  const expected = [[['Hat', text]], 0]
  expect(inAttributes(`[{"name":"Hat","value":${json}}]`)).toEqual(expected)
  expect(inAttributes(`{"Hat":${json}}`)).toEqual(expected)
  expect(attributesIn(`{"properties":{"Hat":{"name":"not this","value":${json}}}}`)).toEqual(
    expected,
  )
})

describe('D134: the forms of the entries', () => {
  test('D134: after 100 texts without JSON, a list has no JSON as text', () => {
    const list = (count: number) => `[${Array(count).fill('"[x]"')},${JSON.stringify(hat)},${hat}]`
    expect(inAttributes(list(99))[1]).toBe(99)
    expect(inAttributes(list(100))).toEqual([[['Hat', 'Red']], 101])
  })

  test.each([
    ...['"none"', '7', 'true', JSON.stringify(`[${hat}`), '"[\\"\\\\x\\"]"', '"[],"', '"\\"[]\\""'],
    ...['[{"name":"Hat"}]', '[{"name":"Hat","value":null}]', '[{"value":1}]', '[{"Hat":"Red"}]'],
    ...['[{}]', '[null]', '[7]', '["Hat"]', '[""]', '[["Hat"]]', '{"":1}', '{"Hat":null}'],
  ])('D134: %s has one entry in no known form', (json) => {
    expect(inAttributes(json)).toEqual([[], 1])
  })

  test.each(['null', '""', '" "', '[]', '{}', '[[],[]]', '"[]"', '"{ }"'])(
    'D134: %s has no entry',
    (json) => expect(inAttributes(json)).toEqual([[], 0]),
  )
})
