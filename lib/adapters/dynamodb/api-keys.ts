import { createHash } from 'node:crypto'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import type { ApiKeys } from '../../domain/ports.ts'
import type { ApiKey, ProductId } from '../../domain/product.ts'
import { apiKeyKey, type Table } from './table.ts'

/** How long a valid key is cached, in milliseconds (D9). */
const memoryMilliseconds = 60_000

/** The maximum number of cached keys. */
const memorySize = 10_000

/** The SHA-256 digest under which a key is stored, in hexadecimal (D9). */
export const apiKeyDigest = (apiKey: ApiKey): string =>
  createHash('sha256').update(apiKey).digest('hex')

const apiKeyItem = v.object({ productId: v.string() })

/** The API keys in the table. Valid keys are cached for up to 60 s (D9). */
export function dynamoApiKeys({ client, name: TableName }: Table): ApiKeys {
  const memory = new Map<string, { productId: ProductId; until: number }>()

  return {
    async productOf(apiKey) {
      const digest = apiKeyDigest(apiKey)
      const known = memory.get(digest)
      if (known && known.until > Date.now()) return known.productId
      const { Item } = await client.send(
        new GetCommand({ TableName, Key: apiKeyKey(digest), ConsistentRead: true }),
      )
      if (!Item) return undefined
      const productId = v.parse(apiKeyItem, Item).productId as ProductId
      remember(digest, productId)
      return productId
    },
  }

  function remember(digest: string, productId: ProductId): void {
    memory.delete(digest)
    memory.set(digest, { productId, until: Date.now() + memoryMilliseconds })
    const [oldest] = memory.keys()
    if (memory.size > memorySize && oldest !== undefined) memory.delete(oldest)
  }
}
