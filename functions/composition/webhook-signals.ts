import { sqsWebhookQueue } from '../../lib/adapters/sqs/webhook-queue.ts'
import { queuedWebhookSignals } from '../../lib/adapters/sqs/webhook-signals.ts'
import type { WebhookSignals } from '../../lib/domain/ports/webhook-signals.ts'
import { webhookQueueSettings } from '../../lib/settings/webhooks.ts'

/** What tells webhooks that there may be something for them; `undefined` in a deployment without webhooks (D121). */
export function webhookSignals(): WebhookSignals | undefined {
  const { queueUrl } = webhookQueueSettings()
  return queueUrl === undefined ? undefined : queuedWebhookSignals(sqsWebhookQueue(queueUrl))
}
