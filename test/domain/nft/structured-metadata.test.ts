import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { structuredMetadata } from '../../../lib/domain/nft/structured-metadata.ts'
import { check } from '../../support/vitest/seeded.ts'

const gateways = { ipfs: 'https://ipfs.example/ipfs/', arweave: 'https://arweave.example/' }

/** The structured metadata of a document, given as its source text or as a value. */
const read = (document: unknown) =>
  structuredMetadata(typeof document === 'string' ? document : JSON.stringify(document), gateways)

const attributesOf = (attributes: string) => read(`{"attributes":${attributes}}`).attributes
const valueText = (value: string) => attributesOf(`[{"name":"n","value":${value}}]`)[0]?.value

describe('D28: name and description', () => {
  test('D28: text is unchanged', () => {
    expect(read({ name: 'Kite', description: ' of paper\n\u2028"' })).toMatchObject({
      name: 'Kite',
      description: ' of paper\n\u2028"',
    })
  })

  test.each(['{}', '{"name":null,"description":null}', '{"name":[],"description":{}}'])(
    'D28: "" when absent: %s',
    (json) => expect(read(json)).toMatchObject({ name: '', description: '' }),
  )

  test('D28: a number is written as in the source', () => {
    expect(read('{"name":5.0,"description":12345678901234567890}')).toMatchObject({
      name: '5.0',
      description: '12345678901234567890',
    })
  })

  test('of two members with the same key the last one counts, as in JSON.parse', () => {
    expect(read('{"name":"first","na\\u006de":"last"}').name).toBe('last')
  })
})

describe('D28: image', () => {
  const image = (url: unknown) => read({ image: url }).image

  test.each([
    'https://a.example/b.png?c#d',
    'http://a.example/b.png',
    'HTTPS://A.EXAMPLE/',
    'data:image/svg+xml;utf8,<svg/>',
    'data:image/png;base64,AAAA',
  ])('D28: %s is unchanged', (url) => expect(image(url)).toBe(url))

  test.each([
    ['ipfs://Qm1/2.png', 'https://ipfs.example/ipfs/Qm1/2.png'],
    ['ipfs://ipfs/Qm1/2.png', 'https://ipfs.example/ipfs/Qm1/2.png'],
    ['ipfs:/ipfs/Qm1', 'https://ipfs.example/ipfs/Qm1'],
    ['IPFS://Qm1/ü #1.png', 'https://ipfs.example/ipfs/Qm1/ü #1.png'],
    ['ar://abc_-1', 'https://arweave.example/abc_-1'],
    ['ar://abc/0.json', 'https://arweave.example/abc/0.json'],
  ])('D28: %s becomes %s', (url, link) => expect(image(url)).toBe(link))

  test.each([
    '',
    ' ',
    'ipfs://',
    'ipfs://ipfs/',
    'https://',
    'data:image/',
    'ipfs:',
    'ar://',
    'Qm1',
    'ftp://a.example/b.png',
    'javascript:alert(1)',
    'data:text/html,<script>',
    '//a.example/b.png',
    ' https://a.example',
    null,
    7,
    {},
    ['https://a.example'],
  ])('D28: %j is not an image', (url) => expect(image(url)).toBeNull())

  test('D28: the first usable URL of image, image_url and imageUrl counts', () => {
    const [first, second, third] = ['https://a.example/1', 'https://a.example/2', 'ipfs://3']
    expect(read({ imageUrl: third, image_url: second, image: first }).image).toBe(first)
    expect(read({ imageUrl: third, image_url: second, image: '' }).image).toBe(second)
    expect(read({ imageUrl: third, image_url: 7 }).image).toBe('https://ipfs.example/ipfs/3')
  })
})

describe('D28: attributes', () => {
  test('2.4: each attribute has a name and a value', () => {
    expect(attributesOf('[{"name":"a","value":"1"},{"trait_type":"b","value":"2"}]')).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ])
  })

  test('D28: name takes precedence over trait_type, unless it is empty or not text', () => {
    const named = (name: string) => attributesOf(`[{"trait_type":"t","name":${name},"value":1}]`)
    expect(named('"n"')[0]?.name).toBe('n')
    for (const name of ['""', 'null', '{}']) expect(named(name)[0]?.name).toBe('t')
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
    ['"\\u00e9\\n"', 'é\n'],
    ['{ "b": 1.0, "10": null, "2": [ ] }', '{ "b": 1.0, "10": null, "2": [ ] }'],
    ['[1, "two"]', '[1, "two"]'],
  ])('2.4, D28: the value %s is the text %j', (json, text) => expect(valueText(json)).toBe(text))

  test('D28: entries without name or value are left out', () => {
    const entries = '{"name":"a"},{"name":"b","value":null},{"value":1},{"name":"","value":1},{}'
    expect(attributesOf(`[${entries},{"name":"z","value":0}]`)).toEqual([{ name: 'z', value: '0' }])
  })

  test('D28: array elements that are not objects are left out', () => {
    expect(attributesOf('[null,1,"a",[],[{"name":"x","value":1}],{"name":"z","value":0}]')).toEqual(
      [{ name: 'z', value: '0' }],
    )
  })

  test('D28: an object instead of an array is read as names and values, in its order', () => {
    expect(attributesOf('{"10":5.0,"2":"two","":1,"gone":null,"__proto__":true}')).toEqual([
      { name: '10', value: '5.0' },
      { name: '2', value: 'two' },
      { name: '__proto__', value: 'true' },
    ])
  })

  test.each(['null', '"text"', '7', '[]', '{}'])('D28: %s has no attributes', (json) => {
    expect(attributesOf(json)).toEqual([])
  })
})

describe('D26: unusual metadata does no harm', () => {
  const depth = 10_000
  const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`

  test('D26: 10,000 levels deep', () => {
    expect(read(`{"deep":${deep},"name":"Kite"}`).name).toBe('Kite')
    expect(valueText(deep)).toBe(deep)
    expect(attributesOf(`{"a":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`)).toHaveLength(1)
  })

  test('D26: keys of Object.prototype', () => {
    const json = '{"__proto__":{"name":"x"},"constructor":null,"toString":1,"hasOwnProperty":2}'
    expect(read(json)).toEqual({ name: '', description: '', image: null, attributes: [] })
  })

  test('any JSON object results in text values', () => {
    const key = fc.constantFrom('name', 'description', 'image', 'attributes', 'value', 'trait_type')
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
      ),
    }))
    check(
      fc.property(fc.dictionary(key, tree), fc.constantFrom(undefined, 2), (document, indent) => {
        const { name, description, image, attributes } = read(
          JSON.stringify(document, null, indent),
        )
        expect([typeof name, typeof description]).toEqual(['string', 'string'])
        expect(image === null || typeof image === 'string').toBe(true)
        for (const attribute of attributes) {
          expect(attribute).toEqual({ name: expect.any(String), value: expect.any(String) })
          expect(attribute.name).not.toBe('')
        }
      }),
      500,
    )
  })
})
