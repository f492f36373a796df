import { randomUUID } from 'node:crypto'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Products } from '../../domain/ports.ts'
import type { ProductId } from '../../domain/product.ts'
import { type ProductKey, registrationKeyLabel } from '../../domain/product-key.ts'
import { apiKeyDigest } from './api-keys.ts'
import { newKeyId } from './key-id.ts'
import { entryOf } from './product-item.ts'
import { apiKeyKey, type Key, productKey, type Table } from './table.ts'

/** The products in the table. */
export const dynamoProducts = ({ client, name: TableName }: Table): Products => ({
  prepare(product, apiKey) {
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
    const keyItem = { ...apiKeyKey(key.digest), productId, keyId: key.keyId, createdAt }
    const put = async (Item: Key) => {
      await client.send(new PutCommand({ TableName, Item }))
    }
    return {
      productId,
      keyId: key.keyId,
      store: () => put(Item),
      storeKey: () => put(keyItem),
    }
  },
})
