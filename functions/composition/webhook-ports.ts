import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoWebhooks } from '../../lib/adapters/dynamodb/webhooks.ts'
import { hmacWebhookSigner } from '../../lib/adapters/hmac/webhook-signer.ts'
import { queuedWebhookSignals, sqsWebhookQueue } from '../../lib/adapters/sqs/webhook-queue.ts'
import type { WebhookSignals } from '../../lib/domain/ports/webhook-delivery.ts'
import {
  webhookQueueSettings,
  webhookSecretSettings,
  webhookTestQueueSettings,
} from '../../lib/settings/webhooks.ts'
import { productCallerPorts } from './product-ports.ts'

/** The ports of the operations that change the webhooks of a product (D121). */
export const webhookPorts = (table = openTable()) => ({
  ...productCallerPorts(table),
  webhooks: dynamoWebhooks(table),
  events: dynamoProductEvents(table),
})

/** What makes the secrets of webhooks (D123). */
export const webhookSigner = () => hmacWebhookSigner(webhookSecretSettings().secrets)

/** The queue of a deployment with webhooks. */
export function webhookQueue(): ReturnType<typeof sqsWebhookQueue> {
  const { queueUrl = '' } = webhookQueueSettings()
  return sqsWebhookQueue(queueUrl)
}

/** The queue of their tests (D150). */
export const webhookTestQueue = () => sqsWebhookQueue(webhookTestQueueSettings().testQueueUrl)

/** What tells webhooks that there may be something for them; `undefined` in a deployment without webhooks (D121). */
export function webhookSignals(): WebhookSignals | undefined {
  const { queueUrl } = webhookQueueSettings()
  return queueUrl === undefined ? undefined : queuedWebhookSignals(sqsWebhookQueue(queueUrl))
}
