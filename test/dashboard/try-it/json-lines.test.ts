import { describe, expect, test } from 'vitest'
import { jsonLines, visibleLines } from '../../../dashboard/views/try-it/json-lines.ts'

/** The lines as text, indented by two spaces. */
const printed = (text: string) =>
  jsonLines(text)
    .map(({ depth, name, value, comma }) => {
      const member = name === undefined ? value : `${name}: ${value}`
      return '  '.repeat(depth) + member + (comma ? ',' : '')
    })
    .join('\n')

describe('Try it: JSON as lines', () => {
  test.each([
    [{ data: [{ tokenId: '2', balance: '3', tags: [], more: {} }], success: true }],
    [[1, -2.5, true, false, null, 'a, b: {c} [d]', '"\\"', '\\']],
    [[]],
    [{}],
    ['text'],
    [{ a: { b: { c: [[[]], [{}], 1] } } }],
  ])('has the form of JSON.stringify: %j', (value) => {
    expect(printed(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
    expect(printed(JSON.stringify(value, null, 3))).toBe(JSON.stringify(value, null, 2))
  })

  test('numbers keep every digit, members their order, and strings their escape sequences', () => {
    const text = `{"amount":250.850000000000000001,"big":340282366920938463463374607431768211457,"e":1E+05,"10":1,"2":2,"s":"\\u0041\\/"}`
    expect(printed(text)).toBe(
      [
        '{',
        '  "amount": 250.850000000000000001,',
        '  "big": 340282366920938463463374607431768211457,',
        '  "e": 1E+05,',
        '  "10": 1,',
        '  "2": 2,',
        String.raw`  "s": "\u0041\/"`,
        '}',
      ].join('\n'),
    )
  })

  test('100,000 levels have 200,000 lines', () => {
    const depth = 100_000
    const lines = jsonLines(`${'['.repeat(depth)}1${']'.repeat(depth)}`)
    expect(lines).toHaveLength(2 * depth + 1)
    expect(lines[0]).toMatchObject({ depth: 0, end: 2 * depth, members: 1 })
  })

  test('a folded line hides its content and its closing bracket', () => {
    const lines = jsonLines('{"a":[1,2],"b":{"c":[3]},"d":[]}')
    const values = (...folded: number[]) =>
      visibleLines(lines, new Set(folded)).map((index) => lines[index]?.value)
    expect(values()).toEqual(['{', '[', '1', '2', ']', '{', '[', '3', ']', '}', '[]', '}'])
    expect(values(1)).toEqual(['{', '[', '{', '[', '3', ']', '}', '[]', '}'])
    expect(values(1, 5, 6)).toEqual(['{', '[', '{', '[]', '}'])
    expect(values(0)).toEqual(['{'])
    expect(lines[1]?.members).toBe(2)
  })

  test.each(['', '}', ']', ',', '"open', '{"a":', 'plain text', '<html>'])(
    'text that is no JSON has lines too: %j',
    (text) => {
      expect(Array.isArray(jsonLines(text))).toBe(true)
    },
  )
})
