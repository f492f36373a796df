import { randomUUID } from 'node:crypto'
import { branded } from '../../domain/branded.ts'
import type { Products } from '../../domain/ports/products.ts'
import type { ProductId } from '../../domain/product/product.ts'
import { type ProductKey, registrationKeyLabel } from '../../domain/product/product-key.ts'
import { apiKeyDigest, newKeyId } from './api-keys.ts'
import { PutCommand, UpdateCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import type { Key } from './keys/key.ts'
import { productKey } from './keys/product-partition.ts'
import { apiKeyKey } from './keys/single-items.ts'
import { entryOf, storedProduct } from './product-item.ts'
import type { Table } from './table.ts'

/** The products in the table. */
export const dynamoProducts = ({ client, name: TableName }: Table): Products => ({
  prepare(product, apiKey) {
    const productId = branded<ProductId>(randomUUID())
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
      storeKey: () => put(keyItem),
      store: () => put(Item),
    }
  },

  async update(productId, changes) {
    const given = Object.entries(changes).filter(([, value]) => value !== undefined)
    const set = given.filter(([, value]) => value !== null)
    const remove = given.filter(([, value]) => value === null).map(([name]) => name)
    const names = given.map(([name]) => [`#${name}`, name])
    const updated = await unlessConditionFails(
      client.send(
        new UpdateCommand({
          TableName,
          Key: productKey(productId),
          UpdateExpression: [
            ...(set.length > 0
              ? [`SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}`]
              : []),
            ...(remove.length > 0 ? [`REMOVE ${remove.map((name) => `#${name}`).join(', ')}`] : []),
          ].join(' '),
          ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(endedAt)',
          ExpressionAttributeNames: Object.fromEntries(names),
          ...(set.length > 0 && {
            ExpressionAttributeValues: Object.fromEntries(
              set.map(([name, value]) => [`:${name}`, value]),
            ),
          }),
          ReturnValues: 'ALL_NEW',
        }),
      ),
    )
    return updated && storedProduct(productId, updated.Attributes).product
  },
})
