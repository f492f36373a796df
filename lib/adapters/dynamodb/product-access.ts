import type { ProductAccess } from '../../domain/ports/products.ts'
import type { ProductId } from '../../domain/product/product.ts'
import { readItem, readItemOnce } from './item-reads.ts'
import { type FieldUpdate, updatedItem, updateItem } from './item-writes.ts'
import { productKey, productLimitsKey } from './keys/product-partition.ts'
import { inUse, storedProduct } from './product-item.ts'
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

/**
 * The products that the operator of the service has stopped, in the table (D45). Each change is one write, which every next request sees,
 * and can be repeated. Returns undefined if there is no product with this id. `hasChanged`: whether it was in the other state.
 */
export function dynamoProductStops(table: Table) {
  /** Changes the product, unless it does not exist or is being deleted, and says what it was before. */
  async function change(productId: ProductId, update: FieldUpdate) {
    const conditional = { ...update, conditions: inUse }
    const before = await updatedItem(table, productKey(productId), conditional, 'ALL_OLD')
    return before && storedProduct(productId, before)
  }
  return {
    async stop(productId: ProductId) {
      // A repeat keeps the time of the first stop.
      const setIfAbsent = { stoppedAt: new Date().toISOString() }
      const before = await change(productId, { setIfAbsent })
      return before && { name: before.product.name, hasChanged: before.stoppedAt === undefined }
    },
    async start(productId: ProductId) {
      const before = await change(productId, { remove: ['stoppedAt'] })
      return before && { name: before.product.name, hasChanged: before.stoppedAt !== undefined }
    },
  }
}
