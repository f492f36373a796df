import { Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { Settings } from '../settings/settings.ts'
import { type AlarmRow, rollBackAfterUpdate } from './alarm-row.ts'
import { grouped, step } from './logs-insights.ts'
import { failuresOf, loggedMetric, period } from './metrics.ts'
import { readErrors } from './shared-steps.ts'

// The alarms of webhooks (D122). They are about the service: what the servers of webhooks do wrong, their developers see.

const isIn = ({ webhooks }: Settings): boolean => webhooks !== undefined

/** During maintenance, messages wait in the queue, and there is no sweep (D44). */
const isRunning = (settings: Settings): boolean => isIn(settings) && !settings.maintenance

const readDeliveryErrors = readErrors(
  'Read the errors, in the log group of the deliveries:',
  'webhooks',
)

const errorThreshold = 10

export const webhookErrors: AlarmRow = {
  name: 'webhook-errors',
  urgency: 'the same day',
  description:
    'The service failed to deliver to webhooks, or Lambda has ended the function. The value is how often, and 10 more if it always fails, at least three times. A webhook whose server fails does not count. Events are not lost: they are delivered later.',
  threshold: errorThreshold,
  unit: 'failures',
  periods: 1,
  window: '30 minutes',
  firstSteps: [
    readDeliveryErrors,
    'If there are no such lines, Lambda has ended the function: read the lines of Lambda with `type = "platform.report"` for a timeout or too little memory.',
    rollBackAfterUpdate,
  ],
  resolution: [
    'Errors of a service: see the health page of the service. The messages are delivered again, but tests are not.',
    'Every delivery fails since an update: [roll back](runbook.md#rolling-back).',
  ],
  isIn,
  metrics: (resources) =>
    failuresOf('deliveryDefects', resources.functions.deliverer, errorThreshold, resources),
}

export const webhookDelay: AlarmRow = {
  name: 'webhook-delay',
  urgency: 'the same day',
  description:
    'Events reach webhooks late. The value is the longest time from when a delivery was due until it began. Events are not lost.',
  threshold: 60,
  unit: 's',
  periods: 3,
  firstSteps: [
    step(
      'Find out whether all products are late or one of them, and since when, in the log group of the deliveries:',
      { name: 'delays-by-product', logs: 'webhooks' },
      'filter ispresent(webhookDelaySeconds)',
      grouped('max(webhookDelaySeconds) as delay, count() as deliveries', 'productId'),
      'sort delay desc',
      'limit 20',
    ),
    'Compare the metrics `ConcurrentExecutions` and `Throttles` of the function in Lambda with the number of deliveries at a time, and look at `ApproximateAgeOfOldestMessage` of the queue of deliveries in SQS.',
    readDeliveryErrors,
  ],
  resolution: [
    '[Webhooks that are late](runbook.md#webhooks-that-are-late) says what these numbers mean.',
    'Too many deliveries at a time: raise `reservedConcurrency.deliverWebhooks`, and deploy.',
    'The function is throttled: continue with [function-throttles](#function-throttles).',
    'The function fails: continue with [webhook-errors](#webhook-errors).',
  ],
  isIn,
  metrics: (resources) => loggedMetric('webhookDelaySeconds', resources, period, Stats.MAXIMUM),
}

const lookAtMapping =
  'Look whether the event source mapping of the queue of deliveries is enabled: in Lambda, at the alias `live` of the function.'

/** The messages that are due and that nobody takes (D149). */
export const webhookQueue: AlarmRow = {
  name: 'webhook-queue',
  urgency: 'the same day',
  description:
    'Messages of webhooks that are due wait all the time: nobody takes them from the queue of deliveries, or they come faster than they are taken. The value is the smallest number of its visible messages. Events are not lost, but are late.',
  threshold: 1,
  unit: 'messages',
  periods: 3,
  firstSteps: [
    lookAtMapping,
    'Compare the metrics `Invocations`, `Errors` and `Throttles` of the function in Lambda with `NumberOfMessagesSent` of the queue of deliveries in SQS.',
    readDeliveryErrors,
  ],
  resolution: [
    'The mapping is disabled, or has the state of an error: enable it, or deploy again.',
    'The function is throttled: continue with [function-throttles](#function-throttles).',
    'The function fails: continue with [webhook-errors](#webhook-errors).',
    'It runs and does not fail: continue with [webhook-delay](#webhook-delay).',
  ],
  isIn: isRunning,
  metrics: ({ webhookQueues }) =>
    webhookQueues?.deliveries.metricApproximateNumberOfMessagesVisible({
      statistic: Stats.MINIMUM,
      period,
    }) ?? [],
}

/** The sweep, which finds webhooks whose message was lost, and what it writes (D149). */
export const webhookSweep: AlarmRow = {
  name: 'webhook-sweep',
  urgency: 'the same day',
  description:
    'The sweep of the webhooks, which runs every five minutes, does not run or fails. The value is the number of sweeps. What delivers to webhooks may be down, and webhooks whose message was lost get no events. Events are not lost.',
  threshold: 1,
  isBelow: true,
  unit: 'sweeps',
  periods: 3,
  firstSteps: [
    readDeliveryErrors,
    'Without errors, look whether the rule in EventBridge with the description "Finds webhooks whose message was lost" is enabled, and at the metrics `Invocations` and `Throttles` of the function in Lambda.',
    rollBackAfterUpdate,
  ],
  resolution: [
    'The function is throttled: continue with [function-throttles](#function-throttles).',
    'The function fails: continue with [webhook-errors](#webhook-errors).',
    'The rule is disabled: enable it, or deploy again.',
    'The deployment has got webhooks less than 15 minutes ago, or has left maintenance: there are no values of the time before. The alarm ends by itself.',
  ],
  isIn: isRunning,
  metrics: (resources) => loggedMetric('webhookSweeps', resources),
}
