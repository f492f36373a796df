import type { AwsAccess } from '@player-nfts/local/aws/aws-access'
import { awsClient } from '../../../lib/adapters/aws/aws-client.ts'
import { apiKeyDigest } from '../../../lib/adapters/dynamodb/api-keys.ts'
import { UpdateCommand } from '../../../lib/adapters/dynamodb/commands.ts'
import type { Key } from '../../../lib/adapters/dynamodb/keys/key.ts'
import { productKey } from '../../../lib/adapters/dynamodb/keys/product-partition.ts'
import { apiKeyKey } from '../../../lib/adapters/dynamodb/keys/single-items.ts'
import { dynamodb } from '../../../lib/adapters/dynamodb/table.ts'
import type { ApiKey, ProductId } from '../../../lib/domain/product/product.ts'
import { storedItems } from './stored-items.ts'

/** The API keys of products in a table, accessed without the service. */
export function storedKeysIn(access: AwsAccess, TableName: string) {
  const client = awsClient(dynamodb, access)
  const { get } = storedItems({ client, name: TableName, requestsAtOnce: 1 })
  const update = (
    Key: Key,
    UpdateExpression: string,
    ExpressionAttributeNames: Record<string, string>,
    ExpressionAttributeValues?: Record<string, unknown>,
  ) => {
    const attributes = { ExpressionAttributeNames, ExpressionAttributeValues }
    return client.send(new UpdateCommand({ TableName, Key, UpdateExpression, ...attributes }))
  }
  /** The primary keys of the items of an API key and of its product, and the identity of the API key. */
  async function find(apiKey: string): Promise<{ item: Key; product: Key; keyId: string }> {
    const item = apiKeyKey(apiKeyDigest(apiKey as ApiKey))
    const { productId, keyId } = (await get(item)) ?? {}
    return { item, product: productKey(productId as ProductId), keyId }
  }
  /** Sets attributes of the product of an API key. */
  async function setProduct(apiKey: string, attributes: Record<string, unknown>) {
    const { product } = await find(apiKey)
    for (const [name, value] of Object.entries(attributes)) {
      await update(product, 'SET #name = :value', { '#name': name }, { ':value': value })
    }
  }
  return {
    ...{ find, get, setProduct },
    /** Removes an API key from the keys of its product, so that it no longer works. */
    async remove(apiKey: string) {
      const { product, keyId } = await find(apiKey)
      await update(product, 'REMOVE #keys.#id', { '#keys': 'keys', '#id': keyId })
    },
    /** Removes the day of its latest use, so that its next use writes the day. */
    async forgetUse(apiKey: string) {
      const { product, keyId } = await find(apiKey)
      const names = { '#keys': 'keys', '#id': keyId, '#day': 'lastUsedOn' }
      await update(product, 'REMOVE #keys.#id.#day', names)
    },
    /** Sets attributes of a listed key of the product of an API key. */
    async setKey(apiKey: string, keyId: string, attributes: Record<string, unknown>) {
      const { product } = await find(apiKey)
      const { keys: stored = {} } = (await get(product)) ?? {}
      await setProduct(apiKey, {
        keys: { ...stored, [keyId]: { ...stored[keyId], ...attributes } },
      })
    },
    /** Removes an attribute of the product of an API key. */
    async removeFromProduct(apiKey: string, attribute: string) {
      const { product } = await find(apiKey)
      await update(product, 'REMOVE #name', { '#name': attribute })
    },
  }
}
