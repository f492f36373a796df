import type { ProductId } from '../domain/product/product.ts'
import type { UsageRecorder } from '../domain/usage/usage-recorder.ts'
import { downstreamCalls } from '../observability/downstream-calls.ts'
import { type Problem, problemOf } from './problem.ts'

/** A request as the usage of its product counts it (D55). */
export interface CountedCall {
  /**
   * Says which product the request is about. The request counts once the permission has read the product, also
   * if the product then refuses it with 403 or 429. With 401 it does not count: otherwise, anybody could
   * write to the usage of a product.
   */
  belongTo(productId: ProductId, permission: Promise<unknown>): void
  end(outcome: { problem?: Problem; userId?: number | undefined }): void
}

/** Begins to count a request. Due counts of earlier ones are written beside the calls that follow the permission. */
export function countedCall(operation: string, usage: UsageRecorder | undefined): CountedCall {
  let product: { productId: ProductId; isPermitted: boolean } | undefined

  return {
    belongTo(productId, permission) {
      if (!usage) return
      const read = (isPermitted: boolean) => {
        product = { productId, isPermitted }
        if (!usage.isDue()) return
        const write = downstreamCalls.withoutPermission(() => usage.writeDue(productId))
        downstreamCalls.beside(write)
      }
      permission.then(
        () => read(true),
        (refusal) => isOfProduct(refusal) && read(false),
      )
    },
    end({ problem, userId }) {
      if (!product) return
      const { productId, isPermitted } = product
      usage?.count({
        productId,
        call: { operation, outcome: problem?.code ?? 'success' },
        indexerCalls: downstreamCalls.counts().indexerCalls ?? 0,
        userId: isPermitted ? userId : undefined,
        limit: problem?.limit?.name,
      })
    },
  }
}

/** Whether a refusal shows that the product exists and that the credential belongs to it. */
const isOfProduct = (refusal: unknown): boolean => [403, 429].includes(problemOf(refusal).status)
