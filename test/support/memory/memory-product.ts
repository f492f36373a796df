import type { ProductDeletions } from '../../../lib/domain/ports/products.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import type { StoredProduct } from '../../../lib/domain/product/stored-product.ts'
import type { Memory } from './memory-ports.ts'

/** The only product of a memory. */
export const onlyProduct = (): StoredProduct => ({
  productId: 'product' as ProductId,
  product: { name: 'Lanterns', contactEmail: 'studio@example', companyName: 'Gull Harbour' },
  createdAt: new Date(0).toISOString(),
  keys: [],
  keysVersion: 1,
})

/** The deletion of the only product. */
export function productDeletionsIn(memory: Memory): ProductDeletions {
  return {
    end: async () => {
      memory.product &&= { ...memory.product, endedAt: new Date().toISOString() }
      return memory.product !== undefined
    },
    sweep: async () => {
      const items = memory.events.splice(0).length + memory.refreshes.size
      memory.refreshes.clear()
      return { isDone: true, apiKeys: 0, items }
    },
    remove: async () => {
      memory.product = undefined
    },
  }
}
