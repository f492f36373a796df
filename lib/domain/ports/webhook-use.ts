import type { ProductId } from '../product/product.ts'
import type { WebhookId } from '../webhooks/webhook-id.ts'

/** What is limited of webhooks (D121). Both throw RateLimited. */
export interface WebhookUse {
  /** Counts a test of a product's webhook at a host. */
  test(productId: ProductId, host: string): Promise<void>
  /** Counts a replay of a webhook. */
  replay(productId: ProductId, webhookId: WebhookId): Promise<void>
}
