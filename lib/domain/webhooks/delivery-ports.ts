import type { NftEvent } from '../nft-events/nft-event.ts'
import type { NftEventPorts, NftEventSettings } from '../nft-events/read-nft-events.ts'
import type { ProductAccess, ProductEvents } from '../ports/products.ts'
import type {
  WebhookPlaces,
  WebhookQueue,
  WebhookSigner,
  WebhookSubscribers,
} from '../ports/webhook-delivery.ts'
import type { WebhookEndpoints, Webhooks } from '../ports/webhooks.ts'

export interface SentEvent {
  id: string
  type: string
  body: string
}

export interface DeliveryPorts extends NftEventPorts {
  settings: DeliverySettings
  webhooks: Webhooks
  subscribers: WebhookSubscribers
  webhookQueue: WebhookQueue
  places: WebhookPlaces
  productAccess: Pick<ProductAccess, 'get'>
  events: Pick<ProductEvents, 'begin' | 'settle'>
  endpoints: WebhookEndpoints
  signer: WebhookSigner
  sent(event: NftEvent): SentEvent
  sentTest(test: { testId: string; challenge: string; at: number }): SentEvent
  /** In milliseconds since 1970. */
  now(): number
  /** From 0 to 1. */
  random(): number
  /** A text that nobody can guess. */
  newId(): string
}

/** What a deployment sets for its webhooks. */
interface DeliverySettings extends NftEventSettings {
  eventsPerMinute: number
  /** How many messages of the queue are handled at a time. */
  deliveries: number
}
