import type { Limit } from '../../domain/limit/limit.ts'
import type { WebhookUse } from '../../domain/ports/webhook-delivery.ts'
import { spendExactly } from './exact-limits.ts'
import { webhookReplaysKey, webhookTestsKey } from './keys/product-partition.ts'
import { webhookHostKey } from './keys/single-items.ts'
import type { Table } from './table.ts'

/** The limits of webhooks; an absent one does not apply (D121). */
export interface WebhookLimits {
  tests?: Limit | undefined
  testsOfHost?: Limit | undefined
  replays?: Limit | undefined
}

/** The use of webhooks in the table: an item of counters for the tests of each product, for each host, and for the replays of each webhook. */
export const dynamoWebhookUse = (
  table: Table,
  { tests, testsOfHost, replays }: WebhookLimits,
): WebhookUse => ({
  async test(productId, host) {
    await spendExactly(table, webhookTestsKey(productId), { spent: tests ? [tests] : [] })
    const spent = testsOfHost ? [testsOfHost] : []
    await spendExactly(table, webhookHostKey(host), { spent })
  },
  async replay(productId, webhookId) {
    const spent = replays ? [replays] : []
    await spendExactly(table, webhookReplaysKey(productId, webhookId), { spent })
  },
})
