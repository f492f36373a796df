import { expect, test } from 'vitest'
import type { JsonWebKey, PlayerDetails } from '../src/types.ts'

test('a misspelt field of an answer is an error of the compiler', () => {
  // @ts-expect-error
  const usernameOf = ({ usrname }: PlayerDetails) => usrname
  expect(usernameOf).toHaveLength(1)
  // A key has other fields for each of its kinds (RFC 7517).
  const xOf = ({ x }: JsonWebKey) => x
  expect(xOf).toHaveLength(1)
})
