import type { WebhookSubscribers } from '../../domain/ports/webhook-delivery.ts'
import { inParallel } from './batches.ts'
import { deleteItem, updateItem } from './item-writes.ts'
import {
  subscriberKey,
  subscribersOf,
  subscriptionFromKey,
  webhookProductFromKey,
  webhookProductKey,
  webhookProducts,
} from './keys/follow-partition.ts'
import type { Key } from './keys/key.ts'
import { itemsUnder } from './prefix-reads.ts'
import type { Table } from './table.ts'

/**
 * How long a subscription stays after it was added last, in milliseconds. A webhook can begin while somebody who has read
 * that there is none ends its subscriptions.
 */
const leastMilliseconds = 60_000

/** The subscriptions in the table, beside the contracts that are followed (D121). */
export function dynamoWebhookSubscribers(table: Table): WebhookSubscribers {
  const { requestsAtOnce } = table
  const subscriptions = async (under: ReturnType<typeof subscribersOf>) =>
    (await itemsUnder(table, under)).map(({ sk }) => subscriptionFromKey(String(sk)))

  const addItem = async (key: Key) => {
    await updateItem(table, key, { set: { addedAt: Date.now() } })
  }
  const removeItem = async (key: Key) => {
    const before = Date.now() - leastMilliseconds
    await deleteItem(table, key, { conditions: [['addedAt', '<=', before]] })
  }

  return {
    async of(contract) {
      const found = await subscriptions(subscribersOf(contract))
      return found.map(({ productId }) => productId)
    },
    all: (chain) => subscriptions(subscribersOf({ chain })),
    async products() {
      const items = await itemsUnder(table, webhookProducts)
      return items.map(({ sk }) => webhookProductFromKey(String(sk)))
    },
    addProduct: (productId) => addItem(webhookProductKey(productId)),
    removeProduct: (productId) => removeItem(webhookProductKey(productId)),
    add: (added) =>
      inParallel(added, requestsAtOnce, ({ contract, productId }) =>
        addItem(subscriberKey(contract, productId)),
      ),
    remove: (removed) =>
      inParallel(removed, requestsAtOnce, ({ contract, productId }) =>
        removeItem(subscriberKey(contract, productId)),
      ),
  }
}
