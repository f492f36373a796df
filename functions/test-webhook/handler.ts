import { setTimeout as sleep } from 'node:timers/promises'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoWebhookUse } from '../../lib/adapters/dynamodb/webhook-use.ts'
import { randomText } from '../../lib/adapters/random/random-text.ts'
import { ServiceUnavailable } from '../../lib/domain/failures.ts'
import { existingWebhook } from '../../lib/domain/webhooks/manage-webhooks.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { webhookTestLimits } from '../../lib/settings/webhooks.ts'
import { webhookPorts, webhookTestQueue } from '../composition/webhook-ports.ts'
import { row } from './operation.ts'

/** How long the function waits before it looks for the result again, in milliseconds. */
const pauseMilliseconds = 250

const table = openTable()

/** D121: sends a test message to a webhook, and waits for the result. Only the function that delivers connects to webhooks (D124). */
export const handler = handlerOf(
  row,
  {
    ...webhookPorts(table),
    webhookQueue: webhookTestQueue(),
    webhookUse: dynamoWebhookUse(table, webhookTestLimits()),
  },
  async ({ productId, path, deadline }, { webhooks, webhookQueue, webhookUse }) => {
    const { webhookId, url } = await existingWebhook(productId, path.webhookId, { webhooks })
    await webhookUse.test(productId, new URL(url).hostname)
    const testId = randomText()
    await webhookQueue.send({ kind: 'test', productId, webhookId, testId, until: deadline })
    while (Date.now() < deadline - pauseMilliseconds) {
      await sleep(pauseMilliseconds)
      const { lastTest } = await existingWebhook(productId, webhookId, { webhooks })
      if (lastTest?.testId === testId) {
        const { delivered, status = null, milliseconds = null, failure = null } = lastTest
        return { data: { delivered, status, milliseconds, failure } }
      }
    }
    throw new ServiceUnavailable('the test of a webhook has no result yet')
  },
)
