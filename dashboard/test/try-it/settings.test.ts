import { describe, expect, test } from 'vitest'
import { paramsOf, queryOf, readSettings } from '../../views/try-it/call.ts'
import { jsonLines, visibleLines } from '../../views/try-it/json-lines.ts'

const read = (query: string) =>
  readSettings(new URLSearchParams(query), ['marrow_finch', 'old_quill'], ['POLYGON', 'BSC'])

describe('Try it: settings', () => {
  test('without a query: the first player, every chain, structured', () => {
    expect(read('')).toEqual({
      player: 'marrow_finch',
      form: 'structured',
      chains: [],
      limit: undefined,
    })
  })

  test('are read from the query, chains in the order of the deployment', () => {
    expect(read('player=old_quill&form=raw&chains=BSC,POLYGON&limit=50')).toEqual({
      player: 'old_quill',
      form: 'raw',
      chains: ['POLYGON', 'BSC'],
      limit: 50,
    })
  })

  test('unknown values are ignored, and another player is a pasted token', () => {
    expect(read('player=pasted&form=x&chains=MARS,BSC&limit=7')).toEqual({
      player: undefined,
      form: 'structured',
      chains: ['BSC'],
      limit: undefined,
    })
  })

  test('without sample players, the token is pasted', () => {
    expect(readSettings(new URLSearchParams('player=old_quill'), [], []).player).toBeUndefined()
  })

  test('the call of the page and the call of the code have the same parameters', () => {
    const settings = read('chains=BSC,POLYGON&limit=50')
    expect(queryOf(settings)).toEqual([
      ['chains', 'POLYGON,BSC'],
      ['limit', '50'],
    ])
    expect(paramsOf(settings, 'next')).toEqual({
      chains: ['POLYGON', 'BSC'],
      limit: 50,
      cursor: 'next',
    })
    expect(queryOf(read(''))).toEqual([])
  })
})

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
