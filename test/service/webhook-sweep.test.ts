import { expect, test } from 'vitest'
import { sweepOfWebhooks } from '../../lib/contract/background-names.ts'
import { startTestAws } from '../support/aws/test-aws.ts'
import { metricsIn } from '../support/data/metric-documents.ts'
import { webhookSettings } from '../support/prod-settings.ts'
import { lineWhere } from '../support/requests/log-lines.ts'
import { startGrantedService } from '../support/services/granted-service.ts'

test('D149: a sweep of the webhooks is counted in its log line', async () => {
  const { deliver, log } = await startGrantedService(await startTestAws(), webhookSettings)
  await deliver(sweepOfWebhooks)
  const line = await lineWhere(log, ({ kind }) => kind === sweepOfWebhooks.kind)
  expect(metricsIn(line)).toEqual({ webhookSweeps: 1 })
})
