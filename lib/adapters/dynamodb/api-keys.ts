import { createHash, randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { branded } from '../../domain/branded.ts'
import type { ApiKeys } from '../../domain/ports/products.ts'
import { apiKeyText, base62Of, keySecretBytes } from '../../domain/product/api-key-text.ts'
import type { ApiKey, ProductId } from '../../domain/product/product.ts'
import { type KeyId, type KeyReference, keyIdLength } from '../../domain/product/product-key.ts'
import { brandedText } from '../branded-text.ts'
import { recentlyUsed } from '../recently-used.ts'
import { getItem } from './item-reads.ts'
import { apiKeyKey } from './keys/single-items.ts'
import type { Table } from './table.ts'

/** The SHA-256 digest under which a key is stored, in hexadecimal (D9). */
export const apiKeyDigest = (apiKey: ApiKey): string =>
  createHash('sha256').update(apiKey).digest('hex')

/** A new identity of an API key: 71 random bits. */
export const newKeyId = (): KeyId => branded(base62Of(randomBytes(16), keyIdLength))

/** A new random API key, with what the table stores of it. */
export function newKey(): {
  apiKey: ApiKey
  stored: { keyId: KeyId; digest: string; last4: string }
} {
  const keyId = newKeyId()
  const apiKey = apiKeyText(keyId, randomBytes(keySecretBytes))
  return { apiKey, stored: { keyId, digest: apiKeyDigest(apiKey), last4: apiKey.slice(-4) } }
}

const apiKeyItem = v.object({ productId: brandedText<ProductId>(), keyId: brandedText<KeyId>() })

/**
 * The API keys in the table. The product of a key never changes, so that a container reads it once. A key
 * that does not exist is not cached.
 */
export function dynamoApiKeys(table: Table): ApiKeys {
  const memory = recentlyUsed<string, KeyReference>(10_000)

  return {
    async referenceOf(apiKey) {
      const digest = apiKeyDigest(apiKey)
      const known = memory.get(digest)
      if (known) return known
      const item = await getItem(table, apiKeyKey(digest))
      if (!item) return undefined
      const reference = v.parse(apiKeyItem, item)
      memory.set(digest, reference)
      return reference
    },
  }
}
