import type { Webhooks } from '../../domain/ports/webhooks.ts'
import type { ProductId } from '../../domain/product/product.ts'
import { compareTexts } from '../../domain/text.ts'
import type { WebhookId } from '../../domain/webhooks/webhook.ts'
import { getItem } from './item-reads.ts'
import {
  deleteItem,
  type FieldCondition,
  type FieldUpdate,
  putItem,
  updatedItem,
} from './item-writes.ts'
import { webhookKey, webhooksOf } from './keys/product-partition.ts'
import { itemsUnder } from './prefix-reads.ts'
import type { Table } from './table.ts'
import { webhookAttributes, webhookIn } from './webhook-item.ts'

/** A webhook that delivers, and is therefore one that exists. */
const delivers: readonly FieldCondition[] = [
  ['isVerified', '=', true],
  ['pausedAt', 'absent'],
]

/** The webhooks in the table, in the partition of their product (D121). */
export function dynamoWebhooks(table: Table): Webhooks {
  async function update(productId: ProductId, webhookId: WebhookId, change: FieldUpdate) {
    const updated = await updatedItem(table, webhookKey(productId, webhookId), change, 'ALL_NEW')
    return updated && webhookIn(updated)
  }

  return {
    async list(productId) {
      const items = await itemsUnder(table, webhooksOf(productId))
      return items
        .map(webhookIn)
        .toSorted((a, b) => a.createdAt - b.createdAt || compareTexts(a.webhookId, b.webhookId))
    },

    async get(productId, webhookId) {
      const item = await getItem(table, webhookKey(productId, webhookId))
      return item && webhookIn(item)
    },

    async add(productId, webhook) {
      const key = webhookKey(productId, webhook.webhookId)
      await putItem(table, { ...key, ...webhookAttributes(webhook) })
    },

    async remove(productId, webhookId) {
      await deleteItem(table, webhookKey(productId, webhookId))
    },

    change(productId, webhookId, { set = {}, remove = [], raisesFence }, condition = {}) {
      const conditions = Object.entries({ webhookId, ...condition }).map(
        ([name, value]): FieldCondition => [name, '=', value],
      )
      return update(productId, webhookId, {
        set: webhookAttributes(set),
        remove,
        ...(raisesFence && { add: { fence: 1 } }),
        conditions,
      })
    },

    wake: (productId, webhookId, { ticket, now }) =>
      update(productId, webhookId, {
        setIfAbsent: { ticket, ticketAt: now, pendingSince: now },
        add: { wakes: 1 },
        conditions: delivers,
      }),

    begin: (productId, webhookId, { ticket, now, leasedUntil, hasPlace }) =>
      update(productId, webhookId, {
        set: { leasedUntil },
        remove: ['nextAttemptAt'],
        add: { fence: 1 },
        conditions: [
          ...delivers,
          ...(hasPlace ? [] : [['slowAt', 'absent'] as const]),
          ['ticket', '=', ticket],
          ['leasedUntil', 'absent or <=', now],
          ['nextAttemptAt', 'absent or <=', now],
        ],
      }),
  }
}
