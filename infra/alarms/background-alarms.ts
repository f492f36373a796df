import type { AlarmRow } from './alarm-row.ts'
import { query } from './logs-insights.ts'
import { period, single } from './metrics.ts'

const workerErrors = query('filter level = "ERROR"', 'display kind, productId, error')

/** The messages that the worker failed to process. */
export const deadLetters: AlarmRow = {
  name: 'dead-letters',
  description:
    'The number of messages in the dead-letter queue. Each message failed five times. Callers see no wrong data.',
  threshold: 1,
  unit: 'messages',
  periods: 1,
  firstSteps: [`Read the errors, in the log group of the worker:\n${workerErrors}`],
  resolution: [
    'Fix the cause of the errors. The work that waits is the cleanup after an unbinding (`sweep`), the rest of a refresh, which stays incomplete until then (`refresh`), or the deletion of a product, whose data stays in the table until then (`deleteProduct`).',
    'Then move the messages back to the queue: SQS console, dead-letter queue, "Start DLQ redrive". It is safe to process a message again.',
  ],
  metrics: ({ queue }) =>
    single(queue.deadLetters.metricApproximateNumberOfMessagesVisible({ period })),
}

/** The delay of the background work. */
export const oldWork: AlarmRow = {
  name: 'old-work',
  description: 'The age of the oldest message in the queue of the background work.',
  threshold: 900,
  unit: 's',
  periods: 3,
  firstSteps: [
    'Check the alarm `function-throttles-worker`. In its alarm state, the worker does not run.',
    `Look for errors, in the log group of the worker:\n${workerErrors}`,
  ],
  resolution: [
    'The worker is throttled: continue with [function-throttles](#function-throttles).',
    'The worker fails: fix the cause of the errors. After five failures, a message goes to the dead-letter queue; see [dead-letters](#dead-letters).',
    'Neither: wait. The worker processes five messages at the same time. After a large refresh or unbinding, messages wait for a while, and their number decreases.',
  ],
  metrics: ({ queue }) => single(queue.queue.metricApproximateAgeOfOldestMessage({ period })),
}
