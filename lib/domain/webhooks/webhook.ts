import type { Branded } from '../branded.ts'
import type { EventStart } from '../nft-events/event-start.ts'
import type { MinuteCounts } from './events-per-minute.ts'

/** The types of events that a webhook can get (D121). A test message has a type of its own. */
export const webhookEventTypes = [
  'nft.transferred',
  'nft.metadata_changed',
  'events.missed',
] as const

export type WebhookEventType = (typeof webhookEventTypes)[number]

/** Why an attempt has no answer. Programs read these codes, so none is renamed. */
export type AttemptFailure =
  /** No address is known of the host. */
  | 'host_not_found'
  /** One of the addresses of the host is not public, so none of them was called. */
  | 'address_not_public'
  /** The connection was refused, or has ended before a complete answer. */
  | 'connection_failed'
  /** The certificate is not valid for the host, or TLS has failed otherwise. */
  | 'certificate_invalid'
  | 'timeout'
  /** What was answered is not HTTP. */
  | 'answer_malformed'

/** Why a message was not delivered. Programs read these codes, so none is renamed. */
export type FailureCode =
  | AttemptFailure
  | 'unexpected_status'
  /** The server has answered a test message with something other than its challenge. */
  | 'challenge_not_answered'
  /** The deployment does not have the secret any more from which the one of the webhook follows: rotate it. */
  | 'secret_ended'

/** The latest failure of a webhook. Times are in milliseconds since 1970. */
export interface WebhookFailure {
  at: number
  code: FailureCode
  status?: number | undefined
}

/** A secret of a webhook: it follows from one of the deployment, which its digest identifies, and from the generation (D123). */
export interface SecretReference {
  deploymentSecret: string
  generation: number
}

export interface WebhookTest {
  testId: string
  delivered: boolean
  status?: number | undefined
  milliseconds?: number | undefined
  failure?: FailureCode | undefined
}

/** A webhook of a product (D121), and how far it has delivered the product's events (D122). Times are in milliseconds since 1970. */
export interface Webhook {
  webhookId: WebhookId
  url: string
  events: readonly WebhookEventType[]
  description: string
  createdAt: number
  /** Whether the server at the URL has answered a challenge. */
  isVerified: boolean
  /** From when on it is to get what has happened, once it is verified; absent: from that moment on. */
  beginsAt?: number | undefined
  /** When it was paused; absent unless it is. */
  pausedAt?: number | undefined
  secret: SecretReference
  /** The secret before, which signs too until it ends. */
  oldSecret?: (SecretReference & { endsAt: number }) | undefined
  lastTest?: WebhookTest | undefined
  /** The latest change by a call. */
  changeId?: string | undefined
  /** Where the deliveries go on. */
  position: EventStart
  /** How many events of the latest minutes it has had. */
  minutes: MinuteCounts
  /** Greater by 1 with each sign of new events. */
  wakes: number
  /** Greater by 1 with each delivery that begins, and with each change that ends one. A write of an earlier delivery fails. */
  fence: number
  /** A delivery is under way until then. */
  leasedUntil?: number | undefined
  /** The message of the queue that delivers; every other one is superfluous. Absent if nothing is pending. */
  ticket?: string | undefined
  /** When a delivery with this message was due last. */
  ticketAt?: number | undefined
  /** Since when there has been something to deliver. */
  pendingSince?: number | undefined
  /** No attempt is made before. */
  nextAttemptAt?: number | undefined
  /** When its latest message took longer than two seconds; absent if it did not (D143). */
  slowAt?: number | undefined
  /** The time of the block of the last event that was delivered. */
  lastEventAt?: number | undefined
  lastDeliveredAt?: number | undefined
  lastFailure?: WebhookFailure | undefined
  /** The failures since the last delivery. */
  failures: number
}

/** The most webhooks of a product. */
export const maxWebhooksPerProduct = 5

/** The longest time in which an old secret and the new one both sign, and the default, in seconds. */
export const maxSecretOverlapSeconds = 604_800
export const defaultSecretOverlapSeconds = 86_400

export type WebhookId = Branded<'WebhookId'>

/** Whether a text has the form of the identity of a webhook: no webhook has an identity of another form. */
export const isWebhookId = (text: string): text is WebhookId => /^wh_[0-9A-Za-z]{22}$/.test(text)
