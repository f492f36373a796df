import type { ProductAccess } from '../../domain/ports/product-keys.ts'
import { UpdateCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { readItem, readItemOnce } from './item-reads.ts'
import { productKey, productLimitsKey } from './keys/product-partition.ts'
import { entryOf, storedProduct } from './product-item.ts'
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

  async noteUse({ productId, keys, keysVersion }, keyId) {
    const { client, name: TableName } = table
    const today = new Date().toISOString().slice(0, 10)
    const key = keys.find((key) => key.keyId === keyId)
    if (!key || (key.lastUsedOn ?? '') >= today) return
    const isUnlisted = keysVersion === 0
    const names = isUnlisted
      ? { '#keys': 'keys' }
      : { '#keys': 'keys', '#id': keyId, '#day': 'lastUsedOn' }
    const values = isUnlisted
      ? { ':keys': { [keyId]: entryOf({ ...key, lastUsedOn: today }) }, ':first': 1 }
      : { ':today': today }
    await unlessConditionFails(
      client.send(
        new UpdateCommand({
          TableName,
          Key: productKey(productId),
          UpdateExpression: isUnlisted
            ? 'SET #keys = :keys, keysVersion = :first'
            : 'SET #keys.#id.#day = :today',
          ConditionExpression: isUnlisted
            ? 'attribute_exists(pk) AND attribute_not_exists(#keys)'
            : // Whether the key is still listed, and no other container has stored the day.
              'attribute_exists(#keys.#id) AND' +
              ' (attribute_not_exists(#keys.#id.#day) OR #keys.#id.#day < :today)',
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: values,
        }),
      ),
    )
  },
})
