import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { apiKeyDigest } from '../../../lib/adapters/dynamodb/api-keys.ts'
import type { Key } from '../../../lib/adapters/dynamodb/keys/key.ts'
import { productKey } from '../../../lib/adapters/dynamodb/keys/product-partition.ts'
import { apiKeyKey } from '../../../lib/adapters/dynamodb/keys/single-items.ts'
import type { ApiKey, ProductId } from '../../../lib/domain/product/product.ts'
import type { AwsAccess } from '../../../local/aws/aws-access.ts'

/** The API keys of products in the table, accessed without the service. */
export interface StoredKeys {
  /** The primary keys of the items of an API key and of its product, and the identity of the API key. */
  find(apiKey: string): Promise<{ item: Key; product: Key; keyId: string }>
  /** Removes an API key from the keys of its product, so that it no longer works. */
  remove(apiKey: string): Promise<void>
  /** Removes the day of its latest use, so that its next use writes the day. */
  forgetUse(apiKey: string): Promise<void>
  /** Sets attributes of a listed key of the product of an API key. */
  setKey(apiKey: string, keyId: string, attributes: Record<string, unknown>): Promise<void>
  /** Sets attributes of the product of an API key. */
  setProduct(apiKey: string, attributes: Record<string, unknown>): Promise<void>
  /** Removes an attribute of the product of an API key. */
  removeFromProduct(apiKey: string, attribute: string): Promise<void>
  get(key: Key): Promise<Record<string, unknown> | undefined>
}

/** Opens the API keys in a table. */
export function storedKeysIn(access: AwsAccess, TableName: string): StoredKeys {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(access))
  const update = async (
    Key: Key,
    UpdateExpression: string,
    names: Record<string, string>,
    values?: Record<string, unknown>,
  ) => {
    await client.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression,
        ExpressionAttributeNames: names,
        ...(values && { ExpressionAttributeValues: values }),
      }),
    )
  }
  const keys: StoredKeys = {
    async get(Key) {
      const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))
      return Item
    },
    async find(apiKey) {
      const item = apiKeyKey(apiKeyDigest(apiKey as ApiKey))
      const { productId, keyId } = (await keys.get(item)) ?? {}
      return { item, product: productKey(productId as ProductId), keyId: keyId as string }
    },
    async remove(apiKey) {
      const { product, keyId } = await keys.find(apiKey)
      await update(product, 'REMOVE #keys.#id', { '#keys': 'keys', '#id': keyId })
    },
    async forgetUse(apiKey) {
      const { product, keyId } = await keys.find(apiKey)
      const names = { '#keys': 'keys', '#id': keyId, '#day': 'lastUsedOn' }
      await update(product, 'REMOVE #keys.#id.#day', names)
    },
    async setKey(apiKey, keyId, attributes) {
      const { product } = await keys.find(apiKey)
      const stored = (await keys.get(product))?.['keys'] as Record<string, object>
      const changed = { ...stored, [keyId]: { ...stored[keyId], ...attributes } }
      await keys.setProduct(apiKey, { keys: changed })
    },
    async setProduct(apiKey, attributes) {
      const { product } = await keys.find(apiKey)
      for (const [name, value] of Object.entries(attributes)) {
        await update(product, 'SET #name = :value', { '#name': name }, { ':value': value })
      }
    },
    async removeFromProduct(apiKey, attribute) {
      const { product } = await keys.find(apiKey)
      await update(product, 'REMOVE #name', { '#name': attribute })
    },
  }
  return keys
}
