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

  test('D134: is not one without an entry in a known form, whose entries are counted', () => {
    const attributes = '[null,{"value":"no name"}]'
    const document = `{"attributes":${attributes},"traits":[[],7,${hat}],"properties":{"Hat":[]}}`
    expect(read(document)).toEqual([[['Hat', 'Red']], 3])
    expect(read(`{"attributes":${attributes},"traits":"none","properties":{"Hat":[]}}`)).toEqual([
      [],
      4,
    ])
  })

  test('2.4: a document without any has no attributes', () => {
    expect(read('{"attribute":[{"name":"Hat","value":"Red"}]}')).toEqual([[], 0])
  })
})

describe('D134: the name of an attribute', () => {
  test.each([
    ['{"name":"n","trait_type":"t","key":"k","value":1}', 'n'],
    ['{"key":"k","trait_type":"t","value":1}', 't'],
    ['{"key":"k","value":1}', 'k'],
    ['{"name":"","trait_type":null,"key":"k","value":1}', 'k'],
    ['{"name":{},"trait_type":"t","value":1}', 't'],
    ['{"name":5.0,"value":1}', '5.0'],
  ])('D134: of %s is %s', (entry, name) => {
    expect(inAttributes(`[${entry}]`)).toEqual([[[name, '1']], 0])
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
  test('D134: a list in a list is part of it, a list in that is not', () => {
    expect(inAttributes(`[[${hat},${hat}],[],${hat},[[${hat}],[]]]`)).toEqual([
      [
        ['Hat', 'Red'],
        ['Hat', 'Red'],
        ['Hat', 'Red'],
      ],
      2,
    ])
  })

  test('D134: JSON as text is read in place of a list, an object and an entry', () => {
    const inText = (json: string) => JSON.stringify(` ${json}\n`)
    expect(inAttributes(inText(`[${hat}]`))).toEqual(hatOnly)
    expect(inAttributes(inText('{"Hat":"Red"}'))).toEqual(hatOnly)
    expect(inAttributes(`[${inText(hat)}]`)).toEqual(hatOnly)
    expect(inAttributes(inText(`[${inText(`[${hat},${inText(hat)}]`)}]`))).toEqual([
      [['Hat', 'Red']],
      1,
    ])
    expect(read(`{"properties":${inText('{"Hat":"Red","Boots":[]}')}}`)).toEqual([
      [['Hat', 'Red']],
      1,
    ])
  })

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

  test('D134: an object has names and values, in its order', () => {
    const json = '{"10":5.0,"2":"two","":1,"gone":null,"__proto__":true,"list":[]}'
    const attributes = [
      ['10', '5.0'],
      ['2', 'two'],
      ['__proto__', 'true'],
      ['list', '[]'],
    ]
    expect(inAttributes(json)).toEqual([attributes, 2])
    expect(read(`{"traits":${json}}`)).toEqual([attributes, 2])
  })

  test('D134: of an object of properties count scalars, and objects with a value', () => {
    const json =
      '{"10":5.0,"2":"two","":1,"gone":null,"on":true,"list":[1],"rich":{"value":{}},"type":{"type":"string"}}'
    expect(read(`{"properties":${json}}`)).toEqual([
      [
        ['10', '5.0'],
        ['2', 'two'],
        ['on', 'true'],
        ['rich', '{}'],
      ],
      4,
    ])
  })
})
