import type { ProductAccess } from '../../domain/ports/products.ts'
import { readItem, readItemOnce } from './item-reads.ts'
import { updateItem } from './item-writes.ts'
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
    const today = new Date().toISOString().slice(0, 10)
    const key = keys.find((key) => key.keyId === keyId)
    if (!key || (key.lastUsedOn ?? '') >= today) return
    const path = `keys.${keyId}`
    await updateItem(table, productKey(productId), {
      set: { [`${path}.lastUsedOn`]: today },
      // Whether the key is still listed, and no other container has stored the day.
      conditions: [
        [path, 'exists'],
        [`${path}.lastUsedOn`, 'absent or <', today],
      ],
    })
  },
})
