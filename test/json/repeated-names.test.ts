import { describe, expect, test } from 'vitest'
import { repeatedNames } from '../../lib/json/repeated-names.ts'

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
