import { describe, expect, test } from 'vitest'
import { attributesOf } from '../../../lib/domain/nft/attributes.ts'
import { memberTexts } from '../../../lib/domain/nft/json-fields.ts'

/** The names and values in a document, and the number of entries that were left out. */
function read(document: string) {
  const { attributes, leftOut } = attributesOf(memberTexts(document))
  return [attributes.map(({ name, value }) => [name, value]), leftOut]
}

const inAttributes = (json: string) => read(`{"attributes":${json}}`)
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
    expect(read(document)).toEqual(hatOnly)
  })

  test('2.4: a document without any has no attributes', () => {
    expect(read('{"attribute":[{"name":"Hat","value":"Red"}]}')).toEqual([[], 0])
  })
})

describe('D134: the value of an attribute', () => {
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
  ])('2.4, D134: %s is the text %j', (json, text) => {
    const expected = [[['Hat', text]], 0]
    expect(inAttributes(`[{"name":"Hat","value":${json}}]`)).toEqual(expected)
    expect(inAttributes(`{"Hat":${json}}`)).toEqual(expected)
    expect(read(`{"properties":{"Hat":{"name":"not this","value":${json}}}}`)).toEqual(expected)
  })
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
