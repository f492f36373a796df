import type { AwsAccess } from '@player-nfts/local/aws/aws-access'
import { apiKeyDigest } from '../../../lib/adapters/dynamodb/api-keys.ts'
import { type FieldUpdate, updateItem } from '../../../lib/adapters/dynamodb/item-writes.ts'
import type { Key } from '../../../lib/adapters/dynamodb/keys/key.ts'
import { productKey } from '../../../lib/adapters/dynamodb/keys/product-partition.ts'
import { apiKeyKey } from '../../../lib/adapters/dynamodb/keys/single-items.ts'
import type { ApiKey } from '../../../lib/domain/product/product.ts'
import { adapterTableOf, storedItems } from './stored-items.ts'

/** The API keys of products in a table, accessed without the service. */
export function storedKeysIn(access: AwsAccess, tableName: string) {
  const table = adapterTableOf({ aws: access, resources: { tableName } })
  const { get } = storedItems(table)
  /** The primary keys of the items of an API key and of its product, and the identity of the API key. */
  async function find(apiKey: string): Promise<{ item: Key; product: Key; keyId: string }> {
    const item = apiKeyKey(apiKeyDigest(apiKey as ApiKey))
    const { productId, keyId } = (await get(item)) ?? {}
    return { item, product: productKey(productId), keyId }
  }
  /** Changes the product of an API key. */
  async function change(apiKey: string, updateOf: (keyId: string) => FieldUpdate) {
    const { product, keyId } = await find(apiKey)
    await updateItem(table, product, updateOf(keyId))
  }
  return {
    ...{ find, get },
    /** Sets attributes of the product of an API key. */
    setProduct: (apiKey: string, set: Record<string, unknown>) => change(apiKey, () => ({ set })),
    /** Removes an API key from the keys of its product, so that it no longer works. */
    remove: (apiKey: string) => change(apiKey, (keyId) => ({ remove: [`keys.${keyId}`] })),
    /** Removes the day of its latest use, so that its next use writes the day. */
    forgetUse: (apiKey: string) =>
      change(apiKey, (keyId) => ({ remove: [`keys.${keyId}.lastUsedOn`] })),
    /** Sets attributes of a listed key of the product of an API key. */
    setKey(apiKey: string, keyId: string, attributes: Record<string, unknown>) {
      const named = Object.entries(attributes).map(([name, value]) => [
        `keys.${keyId}.${name}`,
        value,
      ])
      return change(apiKey, () => ({ set: Object.fromEntries(named) }))
    },
    /** Removes an attribute of the product of an API key. */
    removeFromProduct: (apiKey: string, attribute: string) =>
      change(apiKey, () => ({ remove: [attribute] })),
  }
}
