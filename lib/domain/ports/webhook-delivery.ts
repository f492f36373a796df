import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { ProductId } from '../product/product.ts'
import type { SecretReference, Webhook, WebhookId } from '../webhooks/webhook.ts'

/** A place among the deliveries to slow servers, or who waits for one, in the order of asking (D143). */
export interface Place {
  productId: ProductId
  /** The webhook that has it or waits for it. */
  holder: string
  isWaiting?: boolean
  /** Then it is another's, whether or not its holder lives, in milliseconds since 1970. */
  end: number
}

export interface WebhookPlaces {
  /**
   * Decides by the places of now, and replaces them if the decision has `places`: no two changes decide by the same ones. Returns the decision.
   * Throws ServiceUnavailable if others change them over and over.
   */
  change<Decision extends { places?: readonly Place[] }>(
    decide: (places: readonly Place[]) => Decision,
  ): Promise<Decision>
}

/** What tells webhooks that there may be something for them. A signal that is lost delays them until the next sweep (D122), so none rejects. */
export interface WebhookSignals {
  logged(chain: Chain, contracts: readonly Address[]): Promise<void>
  connected(productId: ProductId): Promise<void>
}

/** What is to be done for webhooks (D122). A message may arrive twice, late or out of order, and be lost. */
export type WebhookMessage =
  | { kind: 'logged'; chain: Chain; contracts: readonly Address[] }
  /** The contracts or webhooks of a product may have changed. `subscribed`: what is known of its subscriptions. */
  | {
      kind: 'product'
      productId: ProductId
      subscribed?: readonly ContractKey[] | undefined
    }
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

/** A message before it is signed. */
export interface UnsignedMessage {
  /** The id of the event: the same in every attempt. */
  id: string
  /** When this attempt is made, in milliseconds since 1970. */
  sentAt: number
  body: string
}

/** The secrets of webhooks (D123). */
export interface WebhookSigner {
  /** The reference to a secret of a generation, which follows from the newest secret of the deployment. */
  reference(generation: number): SecretReference
  /** The text of a secret; `undefined` if the deployment does not have the one any more from which it follows. */
  secret(webhookId: WebhookId, reference: SecretReference): string | undefined
  /** The headers of a message, with a signature by each secret that has not ended; `undefined` if there is none. */
  sign(webhook: Webhook, message: UnsignedMessage): Record<string, string> | undefined
}

interface Subscription {
  productId: ProductId
  contract: ContractKey
}

/** Which products have webhooks, and are told of which contracts (D121). Every write can be repeated. */
export interface WebhookSubscribers {
  of(contract: ContractKey): Promise<ProductId[]>
  all(chain: Chain): Promise<{ productId: ProductId; address: Address }[]>
  products(): Promise<ProductId[]>
  addProduct(productId: ProductId): Promise<void>
  removeProduct(productId: ProductId): Promise<void>
  add(subscriptions: readonly Subscription[]): Promise<void>
  remove(subscriptions: readonly Subscription[]): Promise<void>
}
