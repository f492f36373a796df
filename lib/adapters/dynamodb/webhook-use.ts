import type { Limit } from '../../domain/limit/limit.ts'
import type { ProductId } from '../../domain/product/product.ts'
import type { WebhookId } from '../../domain/webhooks/webhook.ts'
import { spendExactly } from './exact-limits.ts'
import { webhookReplaysKey, webhookTestsKey } from './keys/product-partition.ts'
import { webhookHostKey } from './keys/single-items.ts'
import type { Table } from './table.ts'

/**
 * The use of webhooks in the table: an item of counters for the tests of each product, for each host, and for the replays of each webhook
 * (D121). An absent limit does not apply. Both methods throw RateLimited.
 */
export const dynamoWebhookUse = (
  table: Table,
  {
    tests,
    testsOfHost,
    replays,
  }: Partial<Record<'tests' | 'testsOfHost' | 'replays', Limit | undefined>>,
) => ({
  async test(productId: ProductId, host: string) {
    await spendExactly(table, webhookTestsKey(productId), { spent: tests ? [tests] : [] })
    const spent = testsOfHost ? [testsOfHost] : []
    await spendExactly(table, webhookHostKey(host), { spent })
  },
  async replay(productId: ProductId, webhookId: WebhookId) {
    const spent = replays ? [replays] : []
    await spendExactly(table, webhookReplaysKey(productId, webhookId), { spent })
  },
})
