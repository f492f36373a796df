import type { ProductId } from '../product/product.ts'
import type { AttemptFailure, Webhook, WebhookId } from '../webhooks/webhook.ts'

export interface WebhookChange {
  set?: Partial<Webhook>
  remove?: readonly (keyof Webhook)[]
  /** Whether a delivery that is under way, or a new one, is told apart from those before: the fence is raised. */
  raisesFence?: boolean
}

/** What a webhook must still be for a change of it. */
export interface WebhookCondition {
  url?: string
  fence?: number
  wakes?: number
  isVerified?: boolean
}

/** The webhooks of products (D121). Reads see every completed write. */
export interface Webhooks {
  /** All webhooks of a product, in the order of their creation. */
  list(productId: ProductId): Promise<Webhook[]>
  get(productId: ProductId, webhookId: WebhookId): Promise<Webhook | undefined>
  add(productId: ProductId, webhook: Webhook): Promise<void>
  remove(productId: ProductId, webhookId: WebhookId): Promise<void>
  /** Makes a change and returns the webhook after it; `undefined`, without a change, if there is none or a condition is not met. */
  change(
    productId: ProductId,
    webhookId: WebhookId,
    change: WebhookChange,
    condition?: WebhookCondition,
  ): Promise<Webhook | undefined>
  /**
   * Gives a webhook a ticket, unless it has one, because it may have work. Returns it then; `undefined` if it does not
   * deliver.
   */
  wake(
    productId: ProductId,
    webhookId: WebhookId,
    sign: { ticket: string; now: number },
  ): Promise<Webhook | undefined>
  /**
   * Begins the delivery of a ticket, until which no other one begins, and returns the webhook; `undefined` if it is not the ticket of the
   * webhook, another delivery is under way, it is too early, the webhook does not deliver, or it is slow and the delivery has no place.
   */
  begin(
    productId: ProductId,
    webhookId: WebhookId,
    delivery: { ticket: string; now: number; leasedUntil: number; hasPlace: boolean },
  ): Promise<Webhook | undefined>
}

export interface EndpointMessage {
  url: URL
  headers: Readonly<Record<string, string>>
  body: string
}

/** What an endpoint has answered; nothing if there was no complete answer in time. */
export interface EndpointAnswer {
  status: number
  /** What the header Retry-After says (RFC 9110, section 10.2.3). */
  retryAfterSeconds?: number | undefined
}

/** What became of an attempt to deliver a message. */
export interface Attempt {
  /** Absent if there was no complete answer in time. */
  answer?: (EndpointAnswer & { body: string }) | undefined
  /** Present if there is no answer. */
  failure?: AttemptFailure | undefined
  milliseconds: number
  /** Whether the answer was not waited for any longer, though there was time. */
  isGivenUp?: boolean | undefined
}

/** What an attempt asks when its answer is not there after this time, in milliseconds: whether it may wait for it. */
export interface Patience {
  milliseconds: number
  mayWait(): Promise<boolean>
}

export interface WebhookEndpoints {
  /**
   * Sends a message once, to an address that was judged before. Never rejects for what the server, or the way to it, does. `body` of the answer:
   * its beginning, up to the bytes that are wanted. Without `patience`, it waits for the answer as long as there is time.
   */
  send(
    message: EndpointMessage,
    options: { answerBytes: number; patience?: Patience | undefined },
  ): Promise<Attempt>
}
