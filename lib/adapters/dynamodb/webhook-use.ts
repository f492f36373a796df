import type { Limit } from '../../domain/limit/limit.ts'
import type { ProductId } from '../../domain/product/product.ts'
import type { WebhookId } from '../../domain/webhooks/webhook.ts'
import { spendExactly } from './exact-limits.ts'
import { webhookReplaysKey, webhookTestsKey } from './keys/product-partition.ts'
import { webhookHostKey } from './keys/single-items.ts'
import type { Table } from './table.ts'

/**
 * The use of webhooks in the table: an item of counters for the tests of each product, for each host, and for the replays of each webhook
 * (D121). Both methods throw RateLimited.
 */
export const dynamoWebhookUse = (
  table: Table,
  limits: Partial<Record<'tests' | 'testsOfHost' | 'replays', readonly Limit[]>>,
) => {
  const { tests = [], testsOfHost = [], replays = [] } = limits
  return {
    async test(productId: ProductId, host: string) {
      await spendExactly(table, webhookTestsKey(productId), { spent: tests })
      await spendExactly(table, webhookHostKey(host), { spent: testsOfHost })
    },
    replay: (productId: ProductId, webhookId: WebhookId) =>
      spendExactly(table, webhookReplaysKey(productId, webhookId), { spent: replays }),
  }
}
