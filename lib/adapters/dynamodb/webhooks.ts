import type { Webhooks } from '../../domain/ports/webhooks.ts'
import type { ProductId } from '../../domain/product/product.ts'
import { compareTexts } from '../../domain/text.ts'
import type { WebhookId } from '../../domain/webhooks/webhook.ts'
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { type FieldCondition, fieldUpdate } from './field-update.ts'
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
export function dynamoWebhooks({ client, name: TableName }: Table): Webhooks {
  /** Updates an item if its conditions are met, and returns it as it is then. */
  async function update(
    productId: ProductId,
    webhookId: WebhookId,
    expressions: Partial<ReturnType<typeof fieldUpdate>>,
  ) {
    const Key = webhookKey(productId, webhookId)
    const command = { TableName, Key, ...expressions, ReturnValues: 'ALL_NEW' as const }
    const written = await unlessConditionFails(client.send(new UpdateCommand(command)))
    return written && webhookIn(written.Attributes)
  }

  return {
    async list(productId) {
      const items = await itemsUnder({ client, name: TableName }, webhooksOf(productId))
      return items
        .map(webhookIn)
        .toSorted((a, b) => a.createdAt - b.createdAt || compareTexts(a.webhookId, b.webhookId))
    },

    async get(productId, webhookId) {
      const Key = webhookKey(productId, webhookId)
      const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))
      return Item && webhookIn(Item)
    },

    async add(productId, webhook) {
      const Item = { ...webhookKey(productId, webhook.webhookId), ...webhookAttributes(webhook) }
      await client.send(new PutCommand({ TableName, Item }))
    },

    async remove(productId, webhookId) {
      const Key = webhookKey(productId, webhookId)
      await client.send(new DeleteCommand({ TableName, Key }))
    },

    change(productId, webhookId, { set = {}, remove = [], raisesFence }, condition = {}) {
      const conditions = Object.entries(condition).map(
        ([name, value]): FieldCondition => [name, '=', value],
      )
      const isExisting: FieldCondition = ['webhookId', '=', webhookId]
      return update(
        productId,
        webhookId,
        fieldUpdate({
          set: webhookAttributes(set),
          remove,
          ...(raisesFence && { add: { fence: 1 } }),
          conditions: [isExisting, ...conditions],
        }),
      )
    },

    wake(productId, webhookId, { ticket, now }) {
      const { UpdateExpression, ...others } = fieldUpdate({
        add: { wakes: 1 },
        conditions: delivers,
      })
      const kept = { ticket, ticketAt: now, pendingSince: now }
      const names = Object.keys(kept)
      return update(productId, webhookId, {
        ...others,
        UpdateExpression: `SET ${names.map((name) => `${name} = if_not_exists(${name}, :${name})`).join(', ')} ${UpdateExpression}`,
        ExpressionAttributeValues: {
          ...others.ExpressionAttributeValues,
          ...Object.fromEntries(Object.entries(kept).map(([name, value]) => [`:${name}`, value])),
        },
      })
    },

    begin(productId, webhookId, { ticket, now, leasedUntil, hasPlace }) {
      return update(
        productId,
        webhookId,
        fieldUpdate({
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
      )
    },
  }
}
