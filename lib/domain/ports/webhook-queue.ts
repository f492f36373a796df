import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { ProductId } from '../product/product.ts'
import type { WebhookId } from '../webhooks/webhook-id.ts'

/** What is to be done for webhooks (D122). A message may arrive twice, late or out of order, and be lost. */
export type WebhookMessage =
  /** Events of contracts were logged. */
  | { kind: 'logged'; chain: Chain; contracts: readonly Address[] }
  /** The contracts or webhooks of a product may have changed. `subscribed`: what is known of its subscriptions. */
  | {
      kind: 'product'
      productId: ProductId
      subscribed?: readonly ContractKey[] | undefined
    }
  /** A webhook has something to deliver. */
  | { kind: 'deliver'; productId: ProductId; webhookId: WebhookId; ticket: string }
  /** A webhook is to be tested, in the queue of tests (D150). `until`: when nobody waits for the result any more, in milliseconds since 1970. */
  | {
      kind: 'test'
      productId: ProductId
      webhookId: WebhookId
      testId: string
      until?: number | undefined
    }

/** A queue of webhooks: delivers each message at least once, in any order. */
export interface WebhookQueue {
  send(message: WebhookMessage): Promise<void>
}
