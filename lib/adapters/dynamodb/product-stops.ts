import type { ProductStop, ProductStops } from '../../domain/ports/products.ts'
import type { ProductId } from '../../domain/product/product.ts'
import { type FieldUpdate, updatedItem } from './item-writes.ts'
import { productKey } from './keys/product-partition.ts'
import { inUse, storedProduct } from './product-item.ts'
import type { Table } from './table.ts'

/** The stops of the products in the table. Each change is one write, which every next request sees (D45). */
export function dynamoProductStops(table: Table): ProductStops {
  /** Changes the product, unless it does not exist or is being deleted, and says what it was before. */
  async function change(productId: ProductId, update: FieldUpdate) {
    const conditional = { ...update, conditions: inUse }
    const before = await updatedItem(table, productKey(productId), conditional, 'ALL_OLD')
    return before && storedProduct(productId, before)
  }
  return {
    async stop(productId): Promise<ProductStop | undefined> {
      // A repeat keeps the time of the first stop.
      const setIfAbsent = { stoppedAt: new Date().toISOString() }
      const before = await change(productId, { setIfAbsent })
      return before && { name: before.product.name, hasChanged: before.stoppedAt === undefined }
    },
    async start(productId): Promise<ProductStop | undefined> {
      const before = await change(productId, { remove: ['stoppedAt'] })
      return before && { name: before.product.name, hasChanged: before.stoppedAt !== undefined }
    },
  }
}
