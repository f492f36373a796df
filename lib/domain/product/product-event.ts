import { type TokenElementText, tokenElementText } from '../allowlist/token-element.ts'
import type { TokenRanges } from '../allowlist/token-ranges.ts'
import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { WebhookId } from '../webhooks/webhook.ts'
import type { ProductId } from './product.ts'
import type { KeyId } from './product-key.ts'

/** The changes of a product that are recorded (D49). */
export type EventAction =
  | 'registerProduct'
  | 'updateProduct'
  | 'deleteProduct'
  | 'createKey'
  | 'rotateKey'
  | 'endKey'
  | 'allowlistNfts'
  | 'unbindNfts'
  | 'unbindContract'
  | 'refreshMetadata'
  | 'createWebhook'
  | 'updateWebhook'
  | 'rotateWebhookSecret'
  | 'replayWebhook'
  | 'deleteWebhook'
  /** By the service, after failures (D122). */
  | 'pauseWebhook'
  | 'stopProduct'
  | 'startProduct'

/** How a change has ended (D49). */
export type EventOutcome = 'done' | 'failed'

/** The product that a caller changes, and the key of the caller; null for the operator. */
export interface Actor {
  productId: ProductId
  keyId: string | null
}

export interface NewEvent {
  action: EventAction
  /** The key of the caller; null for a change by the operator. */
  keyId: string | null
  newKeyId?: KeyId | undefined
  /** The key that the change ends, now or after an overlap. */
  endedKeyId?: KeyId | undefined
  webhookId?: WebhookId | undefined
  chain?: Chain | undefined
  contractAddress?: Address | undefined
  count?: number | undefined
  /** The first ranges of the request, merged; absent without ranges (D57). */
  ranges?: TokenElementText[] | undefined
}

export interface ProductEvent extends NewEvent {
  /** Identifies the event. Ids sort by time. */
  eventId: string
  /** When the change began, RFC 3339 in UTC. */
  at: string
  /** Absent if the change has not ended, or its end was not recorded. */
  outcome?: EventOutcome | undefined
}

const maxEventRanges = 10

export const eventRanges = (ranges: TokenRanges): TokenElementText[] | undefined =>
  ranges.length === 0 ? undefined : ranges.slice(0, maxEventRanges).map(tokenElementText)

/** The time for which an event is kept, in days (D49). */
export const eventRetentionDays = 400

/** The maximum number of events in one response, and the number without a limit (D49). */
export const maxEventsPerPage = 1_000
export const defaultEventsPerPage = 100
