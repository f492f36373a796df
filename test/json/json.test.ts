import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { elements, isJsonObject, members, skipValue } from '../../lib/json/json-text.ts'
import { repeatedNames } from '../../lib/json/repeated-names.ts'
import { VerbatimJson, writeJson } from '../../lib/json/verbatim-json.ts'
import { anyText, check } from '../support/vitest/seeded.ts'

const levels = 100_000

/** JSON with every kind of white space in every allowed place. */
const spaced = (value: unknown, space: () => string): string => {
  const around = (text: string) => space() + text + space()
  if (Array.isArray(value))
    return around(`[${value.map((v) => spaced(v, space)).join() || space()}]`)
  if (typeof value !== 'object' || value === null) return around(JSON.stringify(value))
  const output = Object.entries(value).map(
    ([key, member]) => `${around(JSON.stringify(key))}:${spaced(member, space)}`,
  )
  return around(`{${output.join() || space()}}`)
}

const json = fc
  .tuple(
    fc.jsonValue({ maxDepth: 5 }),
    fc.infiniteStream(fc.constantFrom('', '', ' ', '\n\t', '\r\n')),
  )
  .map(([value, spaces]) => spaced(value, () => spaces.next().value))

/** The verdict of JSON.parse on a text. */
const verdictOf = (text: string): boolean | 'a bad string' => {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    return /in string literal|escape/i.test((error as Error).message) && 'a bad string'
  }
}

describe('reading JSON by position', () => {
  test('members have the order of the source, unescaped keys and the positions of their values', () => {
    const text = ' { "10" : 5.0 ,"2":[1, 2],"__proto__":null,"a\\u0062\\"":"}\\\\", "":{} } '
    const read = [...members(text)].map(({ key, start, end }) => [key, text.slice(start, end)])
    expect(read).toEqual([
      ['10', '5.0'],
      ['2', '[1, 2]'],
      ['__proto__', 'null'],
      ['ab"', '"}\\\\"'],
      ['', '{}'],
    ])
  })

  test('elements have their positions, also from the middle of a text', () => {
    const text = '{"a":[ 1e5 , "x,]" ,[],-0.0]}'
    const read = [...elements(text, text.indexOf('['))].map(({ start, end }) =>
      text.slice(start, end),
    )
    expect(read).toEqual(['1e5', '"x,]"', '[]', '-0.0'])
  })

  test('any JSON is read to its end, and its parts equal those of JSON.parse', () => {
    check(
      fc.property(json, (text) => {
        expect(skipValue(`${text}!`)).toBe(text.trimEnd().length)
        const value = JSON.parse(text)
        expect(isJsonObject(text)).toBe(text.trim().startsWith('{'))
        if (Array.isArray(value)) {
          const read = Array.from(elements(text), ({ start, end }) => text.slice(start, end))
          expect(read.map((part) => JSON.parse(part))).toEqual(value)
        } else if (isJsonObject(text)) {
          const read = Array.from(members(text), ({ key, start, end }) => [
            key,
            JSON.parse(text.slice(start, end)),
          ])
          expect(new Map(read as [string, unknown][])).toEqual(new Map(Object.entries(value)))
        }
      }),
      1_000,
    )
  })

  test('kept ends do not change the result', () => {
    const partsOf = (text: string, ends: Map<number, number> | undefined, start = 0): unknown[] => {
      const at = start + text.slice(start).search(/\S/)
      const read = text[at] === '{' ? members : text[at] === '[' ? elements : () => []
      return Array.from(read(text, at, ends), (part) => [part, partsOf(text, ends, part.start)])
    }
    check(
      fc.property(json, (text) => {
        const ends = new Map<number, number>()
        expect(skipValue(text, 0, ends)).toBe(text.trimEnd().length)
        expect(partsOf(text, ends)).toEqual(partsOf(text, undefined))
      }),
      1_000,
    )
  })

  test('ends are kept only of non-empty values on the first five levels', () => {
    const text = '[[[[[[[0]]]]]],{"a":[1]},[]]'
    const ends = new Map<number, number>()
    skipValue(text, 0, ends)
    const kept = [...ends].map(([start, end]) => text.slice(start, end))
    expect(kept.sort()).toEqual(
      [text, '[[[[[[0]]]]]]', '[[[[[0]]]]]', '[[[[0]]]]', '[[[0]]]', '{"a":[1]}', '[1]'].sort(),
    )
  })

  test('accepts and refuses the same texts as JSON.parse, except for the contents of strings', () => {
    const noise = fc.constantFrom('', ',', ':', ']', '}', '"', '[', '0', 'x', '-', ' ')
    check(
      fc.property(json, fc.nat(), noise, (text, at, replacement) => {
        const position = at % text.length
        const other = text.slice(0, position) + replacement + text.slice(position + 1)
        const verdict = verdictOf(`{"a":${other}}`)
        if (verdict !== 'a bad string') expect(isJsonObject(`{"a":${other}}`)).toBe(verdict)
      }),
      3_000,
    )
  })

  test.each([
    '',
    ' ',
    '{',
    '{"a":',
    '{"a":1',
    '{a:1}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":+1}',
    '{"a":NaN}',
    '{"a":"\\"}',
    '{}{}',
    '{},',
    '[]',
    'null',
    '"{}"',
    '\u00a0{}',
    '\ufeff{}',
  ])('%j is not an object', (text) => {
    expect(isJsonObject(text)).toBe(false)
  })

  test('any depth is accepted', () => {
    const arrays = '['.repeat(levels) + ']'.repeat(levels)
    const objects = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    expect(skipValue(arrays)).toBe(arrays.length)
    expect(isJsonObject(objects)).toBe(true)
    expect(isJsonObject(objects.slice(0, -1))).toBe(false)
    expect([...members(objects)]).toEqual([{ key: 'a', start: 5, end: objects.length - 1 }])
  })

  test('a broken part is a SyntaxError, and the parts before it are read', () => {
    const read: string[] = []
    expect(() => {
      for (const { key } of members('{"a":1,"b":[1,],"c":2}')) read.push(key)
    }).toThrow(SyntaxError)
    expect(read).toEqual(['a'])
  })
})

describe('names that an object has more than once', () => {
  test.each<[string, string[]]>([
    ['{}', []],
    ['7', []],
    ['"{\\"a\\":1,\\"a\\":2}"', []],
    ['{"a":{"a":[{"a":1},{"a":2}]}}', []],
    ['{"a":"a","b":"a"}', []],
    ['{"a":1,"a":2}', ['a']],
    ['{"a":1,"a":2,"a":3}', ['a', 'a']],
    ['{"a":1,"\\u0061":2}', ['a']],
    ['{"":1,"":2}', ['']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['{"constructor":1,"toString":2}', []],
    [' [ 1 , [ { "x" : { } , "x" : [ ] } ] ] ', ['1.0.x']],
    ['{"a":{"b":1,"c":[1,2,{"d":{},"d":{}}]},"a":","}', ['a.c.2.d', 'a']],
    ['{"a\\"":1,"a\\"":"\\\\"}', ['a"']],
  ])('%s: %j', (text, names) => {
    expect(repeatedNames(text)).toEqual(names)
  })

  test('are found in any depth', () => {
    const text = `${'{"a":['.repeat(20_000)}{"b":1,"b":2}${']}'.repeat(20_000)}`
    expect(repeatedNames(text)).toEqual([`${'a.0.'.repeat(20_000)}b`])
  })
})

describe('D130: written texts are well-formed', () => {
  const text = fc.oneof(
    anyText(),
    fc.constantFrom('\\ud800', '\\', '\\\ud800', '\ud83e"', '\udc00'),
  )

  test('as String.toWellFormed makes them, beside backslashes and in names', () => {
    check(
      fc.property(text, text, (name, value) => {
        const output = writeJson({ [name]: [value, `${value}\\${name}`] })
        expect(JSON.parse(output)).toEqual({
          [name.toWellFormed()]: [value.toWellFormed(), `${value}\\${name}`.toWellFormed()],
        })
      }),
      1000,
    )
  })

  test('and verbatim texts stay as they are', () => {
    const verbatim = new VerbatimJson('{"name":"\\ud83e"}')
    expect(writeJson({ name: '\ud83e', verbatim })).toBe(
      '{"name":"�","verbatim":{"name":"\\ud83e"}}',
    )
  })
})
