import type { CallBudget } from '../../lib/domain/ports/call-budget.ts'
import type { ContractUses } from '../../lib/domain/ports/contract-use.ts'
import type { ProductUse } from '../../lib/domain/ports/limits.ts'
import type { ProductId } from '../../lib/domain/product/product.ts'
import { downstreamCalls } from '../../lib/observability/downstream-calls.ts'

/** The budget of the work of a message, whose calls are made one after the other. `count`: counts calls of a product. */
export const callBudget = (
  contractUses: Pick<ContractUses, 'of'>,
  productUse: Pick<ProductUse, 'hasHalfLeft'>,
  count: (productId: ProductId, indexerCalls: number) => void,
): CallBudget => ({
  async spend(contract, work) {
    const productId = (await contractUses.of(contract))?.productId
    if (productId !== undefined && !(await productUse.hasHalfLeft(productId))) return 'later'
    const before = madeCalls()
    try {
      return await work()
    } finally {
      if (productId !== undefined) count(productId, madeCalls() - before)
    }
  },
})

const madeCalls = (): number => downstreamCalls.counts().indexerCalls ?? 0
