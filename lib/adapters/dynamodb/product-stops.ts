import type { ProductId } from '../../domain/product/product.ts'
import { type FieldUpdate, updatedItem } from './item-writes.ts'
import { productKey } from './keys/product-partition.ts'
import { inUse, storedProduct } from './product-item.ts'
import type { Table } from './table.ts'

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
