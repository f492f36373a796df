import { expect, test } from 'vitest'
import { checkChangedNames } from '../../../lib/domain/product/changed-names.ts'
import type { Product } from '../../../lib/domain/product/product.ts'

const stored = { name: 'Em\u200bber', companyName: 'Kiln' } as Product

test('D133: a product keeps a name that is stored, and gets no new one in which something is not seen', () => {
  expect(() => checkChangedNames({ ...stored }, stored)).not.toThrow()
  expect(() => checkChangedNames({ name: 'Ember' }, stored)).not.toThrow()
  const message = 'must not contain the character U+200B, which is invisible'
  expect(() => checkChangedNames({ companyName: stored.name }, stored)).toThrow(message)
  expect(() => checkChangedNames({ name: 'Em\u200bbers' }, stored)).toThrow(message)
})
