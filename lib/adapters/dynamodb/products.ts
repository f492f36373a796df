import { randomUUID } from 'node:crypto'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Products } from '../../domain/ports.ts'
import type { ProductId } from '../../domain/product.ts'
import { type ProductKey, registrationKeyLabel } from '../../domain/product-key.ts'
import { apiKeyDigest } from './api-keys.ts'
import { newKeyId } from './key-id.ts'
import { entryOf } from './product-item.ts'
import { apiKeyKey, productKey, type Table } from './table.ts'

/** The products in the table. */
export const dynamoProducts = ({ client, name: TableName }: Table): Products => ({
  async register(product, apiKey) {
    const productId = randomUUID() as string as ProductId
    const createdAt = new Date().toISOString()
    const key: ProductKey = {
      keyId: newKeyId(),
      digest: apiKeyDigest(apiKey),
      scope: 'MANAGE',
      label: registrationKeyLabel,
      last4: apiKey.slice(-4),
      createdAt,
    }
    const Item = {
      ...productKey(productId),
      ...product,
      createdAt,
      keys: { [key.keyId]: entryOf(key) },
      keysVersion: 1,
    }
    await client.send(new PutCommand({ TableName, Item }))
    // The key is written last: without it, nobody can see the product.
    await client.send(
      new PutCommand({
        TableName,
        Item: { ...apiKeyKey(key.digest), productId, keyId: key.keyId, createdAt },
      }),
    )
  },
})
