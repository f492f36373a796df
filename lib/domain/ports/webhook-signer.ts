import type { SecretReference, Webhook } from '../webhooks/webhook.ts'
import type { WebhookId } from '../webhooks/webhook-id.ts'

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
