import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { VerbatimJson, writeJson } from '../../lib/json/verbatim-json.ts'
import { anyText, check } from '../support/vitest/seeded.ts'

describe('D130: written texts are well-formed', () => {
  const text = fc.oneof(
    anyText(),
    fc.constantFrom('\\ud800', '\\', '\\\ud800', '\ud83e"', '\udc00'),
  )

  test('as String.toWellFormed makes them, beside backslashes and in names', () => {
    check(
      fc.property(text, text, (name, value) => {
        const written = writeJson({ [name]: [value, `${value}\\${name}`] })
        expect(JSON.parse(written)).toEqual({
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
