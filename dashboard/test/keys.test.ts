import { describe, expect, test } from 'vitest'
import type { ListedKey } from '../../clients/typescript/src/types.ts'
import { exampleKey } from '../../lib/contract/documentation/listed-key.ts'
import { expiresAt, expiryFault, noExpiry } from '../views/keys/expiry-field.tsx'
import { entryOfKey } from '../views/keys/key-list.tsx'
import { changesOf, faultsOf, noFields, registrationOf } from '../views/product/product-form.tsx'

const key = (keyId: string, changes: Partial<ListedKey> = {}): ListedKey => ({
  ...exampleKey,
  keyId,
  scope: 'MANAGE',
  last4: '9c8b',
  ...changes,
})

describe('the key of the session in the list', () => {
  const uuid = '3d6055d8-23d7-4c13-b86b-3651B3899C8B'

  test('is found by the identity that it contains', () => {
    const keys = [key('u1PzC7dRe0Ls', { last4: '9hXU' }), key('4fK0vQ2mZxBn', { last4: '9hXU' })]
    const text = 'pnk_4fK0vQ2mZxBn_0WEgevgX7JS46g9lCLTDBJMNiwSWIZBGZ3hW9hXU'
    expect(entryOfKey(keys, text)?.keyId).toBe('4fK0vQ2mZxBn')
  })

  test('of a registration is found by its last characters, if they are of one key only', () => {
    const others = [key('b', { scope: 'READ' }), key('c', { endedAt: '2026-01-02T09:00:00.000Z' })]
    expect(entryOfKey([key('a'), ...others], uuid)?.keyId).toBe('a')
    expect(entryOfKey([key('a'), key('d')], uuid)).toBeUndefined()
  })
})

describe('the end of a new key', () => {
  const now = Date.parse('2026-11-22T12:00:00Z')

  test('is a number of days, the end of a day, or never', () => {
    expect(expiresAt(noExpiry, now)).toBeUndefined()
    expect(expiresAt({ choice: '30', day: '' }, now)).toBe('2026-12-22T12:00:00.000Z')
    const end = new Date('2027-01-31T23:59:59')
    expect(expiresAt({ choice: 'date', day: '2027-01-31' }, now)).toBe(end.toISOString())
  })

  test.each([
    ['', 'Choose a day.'],
    ['2026-11-20', 'The day must be in the future.'],
    ['2027-01-31', undefined],
  ])('on the day %s is checked', (day, fault) => {
    expect(expiryFault({ choice: 'date', day }, now)).toBe(fault)
  })
})

describe('the fields of a product', () => {
  const fields = {
    ...noFields,
    name: ' Tide Crates ',
    companyName: 'Gull Harbour',
    contactEmail: 'studio@example.com',
  }
  const product = {
    productId: '0f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e',
    name: 'Tide Crates',
    companyName: 'Gull Harbour',
    contactEmail: 'studio@example.com',
    website: 'https://crates.example',
  }

  test('are registered without the empty ones', () => {
    expect(registrationOf({ ...fields, website: 'crates.example' })).toEqual({
      name: 'Tide Crates',
      companyName: 'Gull Harbour',
      contactEmail: 'studio@example.com',
      website: 'crates.example',
    })
  })

  test('are sent only if they are different, and null removes one', () => {
    expect(changesOf(product, { ...fields, companyName: 'Gulls', website: ' ' })).toEqual({
      companyName: 'Gulls',
      website: null,
    })
    expect(changesOf(product, { ...fields, website: product.website })).toEqual({})
  })

  test('are checked in code points, as the API counts them', () => {
    expect(faultsOf(fields)).toEqual({})
    expect(faultsOf({ ...fields, name: '🗝🗝', description: 'short' })).toEqual({
      description: 'This field must be 10 to 2000 characters long.',
    })
    expect(faultsOf({ ...noFields, contactEmail: 'studio' })).toEqual({
      name: 'This field is required.',
      companyName: 'This field is required.',
      contactEmail: 'This field must have something on each side of a single @.',
    })
  })
})
