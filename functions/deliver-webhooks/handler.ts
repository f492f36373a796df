import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { dynamoDeliveryPorts } from '../../lib/adapters/dynamodb/delivery-ports.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { httpsWebhookEndpoints } from '../../lib/adapters/egress/webhook-endpoints.ts'
import { randomText } from '../../lib/adapters/random/random-text.ts'
import { parseWebhookMessage } from '../../lib/adapters/sqs/webhook-queue.ts'
import { delivererName, type sweepOfWebhooks } from '../../lib/contract/background-names.ts'
import { sentEvent, sentTest } from '../../lib/contract/webhook-event.ts'
import type { WebhookMessage } from '../../lib/domain/ports/webhook-delivery.ts'
import { type Deadline, deliverMilliseconds } from '../../lib/domain/time-budget.ts'
import { processWebhookMessage } from '../../lib/domain/webhooks/deliver.ts'
import type { DeliveryPorts } from '../../lib/domain/webhooks/delivery-ports.ts'
import { sweepWebhooks } from '../../lib/domain/webhooks/wake.ts'
import { downstreamCalls } from '../../lib/observability/downstream-calls.ts'
import { invocationOf } from '../../lib/observability/invocation.ts'
import { logDelivery } from '../../lib/observability/log.ts'
import { nftEventSettings } from '../../lib/settings/following.ts'
import { webhookDeliverySettings, webhookUrlSettings } from '../../lib/settings/webhooks.ts'
import { webhookQueue, webhookSigner } from '../composition/webhook-ports.ts'

const queue = webhookQueue()

const ports: DeliveryPorts = {
  ...dynamoDeliveryPorts(openTable()),
  webhookQueue: queue,
  endpoints: httpsWebhookEndpoints({ permitsLoopback: webhookUrlSettings().permitsLoopback }),
  signer: webhookSigner(),
  sent: sentEvent,
  sentTest,
  now: Date.now,
  random: Math.random,
  newId: randomText,
  settings: { ...nftEventSettings(), ...webhookDeliverySettings() },
}

/**
 * Delivers events to webhooks, and sees to it that none of them is forgotten (D122): takes messages of both queues, and is invoked by a
 * schedule. A delivery that is not done stays in its queue, hidden until it is needed again. A test that fails is not repeated (D150).
 */
export async function handler(
  event: SQSEvent | typeof sweepOfWebhooks,
  context: Context,
): Promise<SQSBatchResponse | undefined> {
  const until = Date.now() + deliverMilliseconds
  if (!('Records' in event)) {
    await logged({ kind: event.kind }, context, async () => {
      await sweepWebhooks(ports)
      return { webhookSweeps: 1 }
    })
    return undefined
  }
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = []
  for (const record of event.Records) {
    const isDone = await processed(record, until, context)
    if (!isDone) batchItemFailures.push({ itemIdentifier: record.messageId })
  }
  return { batchItemFailures }
}

/** Does what a message says; returns whether the queue can delete it. */
async function processed(record: SQSRecord, until: Deadline, context: Context): Promise<boolean> {
  let isDone = false
  const message = parsed(record.body)
  await logged({ ...namesIn(message), messageId: record.messageId }, context, async () => {
    // Throws what is wrong with it.
    const readable = message ?? parseWebhookMessage(record.body)
    const result = await processWebhookMessage(readable, until, ports)
    const { wait, failure, ...fields } = result
    if (wait !== undefined) await queue.hide(record.receiptHandle, wait)
    isDone = wait === undefined
    return { ...fields, code: failure?.code, status: failure?.status }
  })
  // A message that nobody can read would come back for days.
  return isDone || message === undefined
}

function parsed(body: string): WebhookMessage | undefined {
  try {
    return parseWebhookMessage(body)
  } catch {
    return undefined
  }
}

const namesIn = (message: WebhookMessage | undefined) =>
  message && {
    kind: message.kind,
    ...('productId' in message && { productId: message.productId }),
    ...('webhookId' in message && { webhookId: message.webhookId }),
  }

/** Does something and logs it; an error of the service itself is logged and not thrown. */
async function logged(names: object, context: Context, work: () => Promise<object | undefined>) {
  await downstreamCalls.during(async () => {
    const startedAt = Date.now()
    const lineOf = () => ({
      ...invocationOf(context, delivererName),
      ...names,
      durationMilliseconds: Date.now() - startedAt,
    })
    try {
      const result = await work()
      logDelivery({ ...lineOf(), ...result })
    } catch (error) {
      logDelivery({ ...lineOf(), error })
    }
  })
}
