import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { ProductId } from '../product/product.ts'
import { someAtOnce } from '../some-at-once.ts'
import type { DeliveryPorts } from './delivery-ports.ts'
import type { Webhook } from './webhook.ts'
import { isDelivering } from './webhook-state.ts'

/** By how much a message can be late until another one takes its place, in milliseconds. */
const lateMilliseconds = 15 * 60_000

type WakePorts = Pick<DeliveryPorts, 'webhooks' | 'webhookQueue' | 'subscribers' | 'now' | 'newId'>

/** Wakes the webhooks of all products that are subscribed to contracts of which events were logged (D122). */
export async function wakeSubscribers(
  chain: Chain,
  contracts: readonly Address[],
  ports: WakePorts,
): Promise<void> {
  const found = await Promise.all(
    contracts.map((address) => ports.subscribers.of({ chain, address })),
  )
  await someAtOnce([...new Set(found.flat())], productsAtOnce, async (productId) => {
    await wakeWebhooks(productId, await ports.webhooks.list(productId), ports)
  })
}

/** How many products are looked at together: a contract can have hundreds. */
const productsAtOnce = 20

/**
 * Sees to it that each webhook that delivers has a message in the queue: its ticket is written before, so that none is
 * lost.
 */
export async function wakeWebhooks(
  productId: ProductId,
  webhooks: readonly Webhook[],
  { webhooks: stored, webhookQueue, now, newId }: WakePorts,
): Promise<void> {
  for (const { webhookId } of webhooks.filter(isDelivering)) {
    const sign = { ticket: newId(), now: now() }
    const woken = await stored.wake(productId, webhookId, sign)
    const isNew = woken?.ticket === sign.ticket
    if (isNew || (woken && (await isReplaced(woken)))) {
      await webhookQueue.send({ kind: 'deliver', productId, webhookId, ticket: sign.ticket })
    }

    /** Gives a webhook whose message is late the new ticket; returns whether it has it. */
    async function isReplaced(webhook: Webhook) {
      const { ticketAt = 0, nextAttemptAt = 0, leasedUntil = 0, fence } = webhook
      const dueAt = Math.max(ticketAt, nextAttemptAt, leasedUntil)
      if (sign.now - dueAt < lateMilliseconds) return false
      const set = { ticket: sign.ticket, ticketAt: sign.now }
      return (await stored.change(productId, webhookId, { set }, { fence })) !== undefined
    }
  }
}

/** Sends a message for each product with webhooks on these chains: what was lost of them is then found, and their subscriptions are renewed. */
export async function sweepWebhooks(
  chains: readonly Chain[],
  { subscribers, webhookQueue }: Pick<WakePorts, 'subscribers' | 'webhookQueue'>,
): Promise<number> {
  // Also those without a contract on these chains: they may connect one.
  const products = await subscribers.products()
  const subscribed = new Map<ProductId, ContractKey[]>(products.map((each) => [each, []]))
  for (const chain of chains) {
    for (const { productId, address } of await subscribers.all(chain)) {
      const contracts = subscribed.get(productId) ?? []
      subscribed.set(productId, [...contracts, { chain, address }])
    }
  }
  await someAtOnce([...subscribed], productsAtOnce, ([productId, contracts]) =>
    webhookQueue.send({ kind: 'product', productId, subscribed: contracts }),
  )
  return subscribed.size
}
