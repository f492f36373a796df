import type * as sdk from '@aws-sdk/client-sqs'
import * as v from 'valibot'
import { unlessUnavailable } from '../../domain/failures.ts'
import type { Address } from '../../domain/nft/address.ts'
import { chainNames } from '../../domain/nft/chain.ts'
import type {
  WebhookMessage,
  WebhookQueue,
  WebhookSignals,
} from '../../domain/ports/webhook-delivery.ts'
import type { ProductId } from '../../domain/product/product.ts'
import type { WebhookId } from '../../domain/webhooks/webhook.ts'
import { awsClient } from '../aws/aws-client.ts'
import { commandOf } from '../aws/aws-command.ts'
import { brandedText } from '../branded-text.ts'
import { SendMessageCommand, sqs } from './work-queue.ts'

export const ChangeMessageVisibilityCommand =
  commandOf<sdk.ChangeMessageVisibilityCommand>('ChangeMessageVisibility')

/** The longest time for which a message is hidden, in seconds. SQS permits 12 hours from when it was received, which was a moment ago. */
const maxHiddenSeconds = 43_000

/** A queue of webhooks on SQS, and how a message that was received is hidden for a time. */
export function sqsWebhookQueue(queueUrl: string) {
  const client = awsClient(sqs)
  return {
    async send(message: WebhookMessage): Promise<void> {
      const command = { QueueUrl: queueUrl, MessageBody: JSON.stringify(message) }
      await client.send(new SendMessageCommand(command))
    },
    /** Hides a message for this time, in milliseconds, or for somewhat less than 12 hours if that is shorter. */
    async hide(ReceiptHandle: string, milliseconds: number): Promise<void> {
      const seconds = Math.min(Math.ceil(milliseconds / 1_000), maxHiddenSeconds)
      const command = { QueueUrl: queueUrl, ReceiptHandle, VisibilityTimeout: seconds }
      await client.send(new ChangeMessageVisibilityCommand(command))
    },
  }
}

const productId = brandedText<ProductId>()
const webhookId = brandedText<WebhookId>()
const chain = v.picklist(chainNames)

const webhookMessage = v.variant('kind', [
  v.object({ kind: v.literal('logged'), chain, contracts: v.array(brandedText<Address>()) }),
  v.object({
    kind: v.literal('product'),
    productId,
    subscribed: v.exactOptional(v.array(v.object({ chain, address: brandedText<Address>() }))),
  }),
  v.object({ kind: v.literal('deliver'), productId, webhookId, ticket: v.string() }),
  v.object({
    ...{ kind: v.literal('test'), productId, webhookId, testId: v.string() },
    until: v.exactOptional(v.number()),
  }),
])

/** Parses a message of {@link sqsWebhookQueue}. Throws for any other message. */
export const parseWebhookMessage = (message: string): WebhookMessage =>
  v.parse(webhookMessage, JSON.parse(message))

export function queuedWebhookSignals(queue: WebhookQueue): WebhookSignals {
  const send = (message: WebhookMessage) => queue.send(message).catch(unlessUnavailable)
  return {
    logged: (chain, contracts) => send({ kind: 'logged', chain, contracts }),
    connected: (productId) => send({ kind: 'product', productId }),
  }
}
