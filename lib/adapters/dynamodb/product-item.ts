import * as v from 'valibot'
import { branded } from '../../domain/branded.ts'
import type { ProductId } from '../../domain/product/product.ts'
import type { ProductKey } from '../../domain/product/product-key.ts'
import type { StoredProduct } from '../../domain/product/stored-product.ts'
import type { FieldCondition } from './item-writes.ts'

const text = v.string()
const optionalText = v.exactOptional(text)

export const keyEntry = v.object({
  digest: text,
  scope: v.picklist(['MANAGE', 'READ']),
  label: text,
  last4: text,
  createdAt: text,
  endsAt: optionalText,
  lastUsedOn: optionalText,
  isRotated: v.exactOptional(v.literal(true)),
})

const registration = v.object({
  name: text,
  description: optionalText,
  contactEmail: text,
  companyName: text,
  companyDescription: optionalText,
  website: optionalText,
  clientAccess: v.exactOptional(v.boolean()),
  signIn: v.exactOptional(v.boolean()),
  signInDomains: v.exactOptional(v.array(text)),
})

const productItem = v.object({
  createdAt: text,
  keys: v.record(text, keyEntry),
  keysVersion: v.number(),
  keysChangeId: optionalText,
  stoppedAt: optionalText,
  endedAt: optionalText,
  signInPermit: optionalText,
})

/** Parses the item of a product. Throws for any other item. */
export function storedProduct(productId: ProductId, item: unknown): StoredProduct {
  const { keys, ...stored } = v.parse(productItem, item)
  return {
    productId,
    product: v.parse(registration, item),
    ...stored,
    keys: Object.entries(keys).map(
      ([keyId, entry]): ProductKey => ({
        keyId: branded(keyId),
        ...entry,
      }),
    ),
  }
}

/** A key as an entry of the item's map of keys, in which its identity is the name. */
export const entryOf = ({ keyId: _, ...entry }: ProductKey): Omit<ProductKey, 'keyId'> => entry

/** What a product is that is stored, and not being deleted. */
export const inUse: readonly FieldCondition[] = [
  ['pk', 'exists'],
  ['endedAt', 'absent'],
]
