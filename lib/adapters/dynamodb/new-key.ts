import { randomBytes } from 'node:crypto'
import { apiKeyText, keySecretBytes } from '../../domain/product/api-key-text.ts'
import type { ApiKey } from '../../domain/product/product.ts'
import type { KeyId } from '../../domain/product/product-key.ts'
import { apiKeyDigest } from './api-keys.ts'
import { newKeyId } from './key-id.ts'

/** A new random API key, with what the table stores of it. */
export function newKey(): {
  apiKey: ApiKey
  stored: { keyId: KeyId; digest: string; last4: string }
} {
  const keyId = newKeyId()
  const apiKey = apiKeyText(keyId, randomBytes(keySecretBytes))
  return { apiKey, stored: { keyId, digest: apiKeyDigest(apiKey), last4: apiKey.slice(-4) } }
}
