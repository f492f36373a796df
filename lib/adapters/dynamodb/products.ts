import { randomUUID } from 'node:crypto'
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import type { Products } from '../../domain/ports.ts'
import type { ProductId } from '../../domain/product.ts'
import { apiKeyDigest } from './api-keys.ts'
import { apiKeyKey, productKey, type Table } from './table.ts'

const productItem = v.object({
  name: v.string(),
  description: v.exactOptional(v.string()),
  contactEmail: v.string(),
  companyName: v.string(),
  companyDescription: v.exactOptional(v.string()),
  website: v.exactOptional(v.string()),
})

/** The products in the table. */
export const dynamoProducts = ({ client, name: TableName }: Table): Products => ({
  async register(product, apiKey) {
    const productId = randomUUID() as string as ProductId
    const createdAt = new Date().toISOString()
    await client.send(
      new PutCommand({ TableName, Item: { ...productKey(productId), ...product, createdAt } }),
    )
    // The key is written last: without it, nobody can see the product.
    await client.send(
      new PutCommand({
        TableName,
        Item: { ...apiKeyKey(apiKeyDigest(apiKey)), productId, createdAt },
      }),
    )
  },

  async get(productId) {
    const { Item } = await client.send(
      new GetCommand({ TableName, Key: productKey(productId), ConsistentRead: true }),
    )
    return Item && v.parse(productItem, Item)
  },
})
