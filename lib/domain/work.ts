import type { Contract } from './allowlist.ts'
import type { ProductId } from './product.ts'

/**
 * What is done in the background. A work item may arrive twice, late or out of order: it says what
 * to look at, never what to conclude.
 */
export type WorkItem =
  /** Deletes what an unbound contract left behind (D19). */
  | { kind: 'sweep'; productId: ProductId; contract: Contract }
  /** Goes on with a refresh past what the answer could hold (D31). */
  | { kind: 'refresh'; productId: ProductId; contract: Contract; refreshId: string }
