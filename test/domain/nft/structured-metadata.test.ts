import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { structuredMetadata } from '../../../lib/domain/nft/structured-metadata.ts'
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

describe('D134: no entry in a known form is lost, and each other entry is counted', () => {
  const one = '{"name":"a","value":1}'
  const packed = (json: string) => JSON.stringify(json)

  // The members of a document, the names and values of its attributes, and the number of other entries.
  test.each<[members: string, attributes: string[], leftOut: number]>([
    ['"attributes":[{"trait_type":"Hat","value":"Red"}]', ['Hat: Red'], 0],
    ['"attributes":[{"value":"Red","key":"Hat"},{"name":7,"value":1}]', ['Hat: Red', '7: 1'], 0],
    ['"attributes":[{"key":"k","trait_type":"t","name":"n","value":1}]', ['n: 1'], 0],
    ['"attributes":[{"key":"k","trait_type":"t","name":"","value":1}]', ['t: 1'], 0],
    ['"attributes":[{"key":"k","trait_type":null,"name":[],"value":1}]', ['k: 1'], 0],
    ['"attributes":[{"name":{"name":"inner"},"value":1},{"name":"","value":1}]', [], 2],
    ['"attributes":[{"name":"a","value":5.0},{"name":"b","value":true}]', ['a: 5.0', 'b: true'], 0],
    ['"attributes":[{"name":"a","value":""},{"name":"b","value":"\\u0041 "}]', ['a: ', 'b: A '], 0],
    ['"attributes":[{"name":"a","value":{"b" :[1]}}]', ['a: {"b" :[1]}'], 0],
    ['"attributes":[{"name":"a","value":null},{"name":"a"},{"value":"a"},{"Hat":"Red"},{}]', [], 5],
    [`"attributes":[null,7,true,"Hat","",${one}]`, ['a: 1'], 5],
    [`"attributes":[[${one},{"name":"b","value":2}],${one},[7]]`, ['a: 1', 'b: 2', 'a: 1'], 1],
    [`"attributes":[[[${one}],[],[[]]]]`, [], 3],
    [`"attributes":${packed(`\n[${one}] `)}`, ['a: 1'], 0],
    [`"attributes":${packed('{"Hat":"Red"}')}`, ['Hat: Red'], 0],
    [`"attributes":[${packed(one)},"{\\"name\\":"]`, ['a: 1'], 1],
    [`"attributes":[${packed(` [${one},${packed(one)}]`)}]`, ['a: 1'], 1],
    ['"attributes":{"Hat":"Red","Deep":{"value":1}}', ['Hat: Red', 'Deep: {"value":1}'], 0],
    ['"attributes":{"":1,"None":null,"__proto__":5.0}', ['__proto__: 5.0'], 2],
    ['"traits":{"Hat":{"value":1}}', ['Hat: {"value":1}'], 0],
    [
      '"properties":{"Hat":{"name":"not this","value":[1]},"Size":5.0}',
      ['Hat: [1]', 'Size: 5.0'],
      0,
    ],
    ['"properties":{"a":null,"b":[7],"c":{},"d":{"type":"string"},"e":{"value":null}}', [], 5],
    ['"properties":[{"name":"a","value":{"value":1}}]', ['a: {"value":1}'], 0],
    [`"properties":{"p":1},"traits":[${one}],"attributes":[{"name":"n","value":7},7]`, ['n: 7'], 1],
    [`"properties":{"p":1},"traits":[${one},7],"attributes":[{}]`, ['a: 1'], 2],
    ['"properties":{"p":1},"traits":[7],"attributes":7', ['p: 1'], 2],
    ['"properties":[7],"traits":[7,7],"attributes":[7]', [], 4],
  ])('D134: %s', (members, attributes, leftOut) => {
    const { formattedMetadata, attributesLeftOut } = answerOf(`{${members}}`)
    const found = formattedMetadata.attributes.map(({ name, value }) => `${name}: ${value}`)
    expect([found, attributesLeftOut]).toEqual([attributes, leftOut || undefined])
  })

  test.each(['[]', '[[]]', '{}', 'null', '""', '" \\n"', '"[]"', '" {}"'])(
    'D134: %s is no entry',
    (empty) => expect(answerOf(`{"attributes":${empty}}`)).not.toHaveProperty('attributesLeftOut'),
  )

  test.each([
    '7',
    '"Hat"',
    'true',
    '"null"',
    '"[{"',
    '"{\\"a\\":1}}"',
    '"\\"[]\\""',
    packed(packed(`[${one}]`)),
  ])('D134: %s is one other entry', (other) =>
    expect(answerOf(`{"attributes":${other}}`)).toMatchObject({ attributesLeftOut: 1 }),
  )
})

describe('D134: the shapes of recorded NFTs', () => {
  // One for each form that they have. Two lines for each: the document, and what docs/metadata.md says of it, written by hand.
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

  test('D134: there are 18', () => expect(shapes).toHaveLength(18))

  test.each(shapes)('D134: $document', ({ document, expected }) => {
    expect(answerOf(document)).toEqual(expected)
  })
})

test('D134: after 100 texts without JSON, a list has no JSON as text', () => {
  const hat = '{"trait_type":"Hat","value":"Red"}'
  const listed = (count: number) =>
    answerOf(`{"attributes":[${Array(count).fill('"[x]"')},${JSON.stringify(hat)},${hat}]}`)
  expect(listed(99).attributesLeftOut).toBe(99)
  expect(listed(100)).toMatchObject({
    formattedMetadata: { attributes: [{ name: 'Hat', value: 'Red' }] },
    attributesLeftOut: 101,
  })
})
