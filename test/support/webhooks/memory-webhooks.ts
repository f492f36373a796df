import type { Place, WebhookPlaces } from '../../../lib/domain/ports/webhook-delivery.ts'
import type { Webhooks } from '../../../lib/domain/ports/webhooks.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import type { Webhook, WebhookId } from '../../../lib/domain/webhooks/webhook.ts'
import { isDelivering } from '../../../lib/domain/webhooks/webhook-state.ts'

/** The webhooks of products in memory, with the promises of their port. */
export function memoryWebhooks(): Webhooks {
  const stored = new Map<string, Webhook>()
  const keyOf = (productId: ProductId, webhookId: WebhookId) => `${productId} ${webhookId}`

  const changeIf = (
    productId: ProductId,
    webhookId: WebhookId,
    isMet: (webhook: Webhook) => boolean,
    next: (webhook: Webhook) => Webhook,
  ) => {
    const webhook = stored.get(keyOf(productId, webhookId))
    if (!webhook || !isMet(webhook)) return undefined
    const changed = next(webhook)
    stored.set(keyOf(productId, webhookId), changed)
    return changed
  }

  return {
    list: async (productId) =>
      [...stored].filter(([key]) => key.startsWith(`${productId} `)).map(([, webhook]) => webhook),
    get: async (productId, webhookId) => stored.get(keyOf(productId, webhookId)),
    async add(productId, webhook) {
      stored.set(keyOf(productId, webhook.webhookId), webhook)
    },
    async remove(productId, webhookId) {
      stored.delete(keyOf(productId, webhookId))
    },
    change: async (productId, webhookId, { set, remove = [], raisesFence }, condition = {}) =>
      changeIf(
        productId,
        webhookId,
        (webhook) =>
          Object.entries(condition).every(
            ([name, value]) => webhook[name as keyof typeof condition] === value,
          ),
        (webhook) => ({
          ...webhook,
          ...set,
          ...Object.fromEntries(remove.map((name) => [name, undefined])),
          fence: webhook.fence + (raisesFence ? 1 : 0),
        }),
      ),
    wake: async (productId, webhookId, { ticket, now }) =>
      changeIf(productId, webhookId, isDelivering, (webhook) => ({
        ...webhook,
        wakes: webhook.wakes + 1,
        ticket: webhook.ticket ?? ticket,
        ticketAt: webhook.ticketAt ?? now,
        pendingSince: webhook.pendingSince ?? now,
      })),
    begin: async (productId, webhookId, { ticket, now, leasedUntil, hasPlace }) =>
      changeIf(
        productId,
        webhookId,
        (webhook) =>
          isDelivering(webhook) &&
          webhook.ticket === ticket &&
          (hasPlace || webhook.slowAt === undefined) &&
          (webhook.leasedUntil ?? 0) <= now &&
          (webhook.nextAttemptAt ?? 0) <= now,
        (webhook) => ({ ...webhook, leasedUntil, fence: webhook.fence + 1 }),
      ),
  }
}

/** Places in memory. */
export function memoryPlaces(): WebhookPlaces {
  let stored: readonly Place[] = []
  return {
    async change(decide) {
      const decision = decide(stored)
      stored = decision.places ?? stored
      return decision
    },
  }
}
