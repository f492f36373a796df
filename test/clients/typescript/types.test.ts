import { expect, test } from 'vitest'
import type { components } from '../../../clients/typescript/src/schema.ts'
import type { PlayerDetails } from '../../../clients/typescript/src/types.ts'

type Schemas = components['schemas']

/** The names of the types that have any field: their values are not misspelt, but unknown. */
type OpenType = {
  [Name in keyof Schemas]: string extends keyof Schemas[Name] ? Name : never
}[keyof Schemas]

test('a misspelt field of an answer is an error of the compiler', () => {
  // @ts-expect-error
  const usernameOf = ({ usrname }: PlayerDetails) => usrname
  expect(usernameOf).toHaveLength(1)
  // A key has other fields for each of its kinds (RFC 7517).
  const open: Record<OpenType, true> = { JsonWebKey: true }
  expect(Object.keys(open)).toEqual(['JsonWebKey'])
})
