import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: the test looks into any part of the documents
type Json = any

/** Each object inside a part of a document, examples left out. */
function partsOf(part: Json): Json[] {
  if (typeof part !== 'object' || part === null) return []
  const inside = Object.entries(part).filter(([name]) => !/^examples?$/.test(name))
  return [part, ...inside.flatMap(([, value]) => partsOf(value))]
}

test('D132: no name is one that a generator makes itself, and each enumeration has a type', () => {
  const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'))
  const { schemas, securitySchemes } = document.components
  const names = Object.keys(schemas)
  const enumerations = partsOf(document).filter((part) => 'const' in part || 'enum' in part)
  expect(enumerations.length).toBeGreaterThan(20)
  expect({
    response: names.filter((name) => name.endsWith('Response')),
    constructor: names.filter((name) => names.some((other) => name === `New${other}`)),
    securityScheme: names.filter((name) => name in securitySchemes),
    untyped: enumerations.filter((part) => !('type' in part)),
  }).toEqual({ response: [], constructor: [], securityScheme: [], untyped: [] })
  // The client exports these.
  expect(names).toEqual(expect.arrayContaining(['PlayerToken', 'SignInMessage']))
})
