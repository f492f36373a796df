import type { ProductAccess } from '../../domain/ports/products.ts'
import { UpdateCommand } from './commands.ts'
import { readItem, readItemOnce } from './item-reads.ts'
import { unlessConditionFails } from './item-writes.ts'
import { productKey, productLimitsKey } from './keys/product-partition.ts'
import { storedProduct } from './product-item.ts'
import type { Table } from './table.ts'

/** What the products in the table permit. One consistent read of one item says everything (D46). */
export const dynamoProductAccess = (table: Table): ProductAccess => ({
  async get(productId, { withCounters } = { withCounters: false }) {
    const [item, counters = {}] = await Promise.all([
      readItem(table, productKey(productId)),
      withCounters ? readItemOnce(table, productLimitsKey(productId)) : undefined,
    ])
    return item && { ...storedProduct(productId, item), ...(withCounters && { counters }) }
  },

  async noteUse({ productId, keys }, keyId) {
    const { client, name: TableName } = table
    const today = new Date().toISOString().slice(0, 10)
    const key = keys.find((key) => key.keyId === keyId)
    if (!key || (key.lastUsedOn ?? '') >= today) return
    await unlessConditionFails(
      client.send(
        new UpdateCommand({
          TableName,
          Key: productKey(productId),
          UpdateExpression: 'SET #keys.#id.#day = :today',
          // Whether the key is still listed, and no other container has stored the day.
          ConditionExpression:
            'attribute_exists(#keys.#id) AND' +
            ' (attribute_not_exists(#keys.#id.#day) OR #keys.#id.#day < :today)',
          ExpressionAttributeNames: { '#keys': 'keys', '#id': keyId, '#day': 'lastUsedOn' },
          ExpressionAttributeValues: { ':today': today },
        }),
      ),
    )
  },
})
