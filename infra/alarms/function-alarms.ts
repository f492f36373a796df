import { Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { functionName, type OperationId, operationIds } from '../../lib/contract/routes.ts'
import type { AlarmRow, Monitored } from './alarm-row.ts'
import { query } from './logs-insights.ts'
import { callsIndexer, indexerOperations, period } from './metrics.ts'

const durations = (ids: readonly OperationId[], { functions }: Monitored) =>
  Object.fromEntries(
    ids.map((id) => [
      functionName(id),
      functions.byOperation[id].metricDuration({ statistic: Stats.percentile(99), period }),
    ]),
  )

/** The duration of each operation that does not call the indexer. */
export const slowAnswers: AlarmRow = {
  name: 'slow-answers',
  description:
    'The 99th percentile of the duration of an operation that does not call the indexer. Each operation has its own alarm.',
  threshold: 3_000,
  unit: 'ms',
  periods: 3,
  firstSteps: [
    'Compare the duration with the number of invocations of the function. With few invocations, the 99th percentile is a single cold start.',
    `Find out what the slow requests waited for, in the log group of the function:\n${query(
      'filter durationMilliseconds > 3000',
      'stats count() by reason, dynamodbCalls, kmsCalls',
    )}`,
  ],
  resolution: [
    'DynamoDB throttles requests: continue with [table-throttles](#table-throttles).',
    'Otherwise, see the health of DynamoDB and KMS in the Region.',
  ],
  metrics: (resources) =>
    durations(
      operationIds.filter((id) => !callsIndexer(id)),
      resources,
    ),
}

/** The duration of each operation that calls the indexer. */
export const slowIndexerAnswers: AlarmRow = {
  name: 'slow-indexer-answers',
  description:
    'The 99th percentile of the duration of an operation that calls the indexer. Each operation has its own alarm.',
  threshold: 15_000,
  unit: 'ms',
  periods: 3,
  firstSteps: [
    'Check the alarm [indexer-failures](#indexer-failures) and the status page of the indexer.',
    `Find out whether the large wallets of one product are slow, in the log group of the function:\n${query(
      'stats avg(indexerCalls), max(durationMilliseconds) by productId',
    )}`,
  ],
  resolution: [
    'The indexer is slow or fails: continue with [indexer-failures](#indexer-failures).',
    'The wallets of one product are large: the [number of indexer calls](costs.md#requests-of-each-operation) grows with the NFTs in a wallet.',
  ],
  metrics: (resources) => durations(indexerOperations, resources),
}

/** The invocations that Lambda throttled. */
export const functionThrottles: AlarmRow = {
  name: 'function-throttles',
  description:
    'The number of invocations that Lambda rejected because the concurrency was used up. Each function has its own alarm.',
  threshold: 1,
  unit: 'calls',
  periods: 2,
  firstSteps: [
    'Compare the metric ConcurrentExecutions of the account with its quota:\n```text\naws lambda get-account-settings --query AccountLimit\n```',
    `If the requests rose suddenly and the players did not, look for a single address in the access log:\n${query(
      'stats count() as requests by sourceIp',
      'sort requests desc',
    )}`,
  ],
  resolution: [
    'ConcurrentExecutions is at its quota: request a higher quota (Service Quotas, Lambda, "Concurrent executions"), set `accountConcurrency` to the new value, and deploy.',
    'ConcurrentExecutions is below its quota: the `reservedConcurrency` of the function is too low. Raise it and deploy.',
    'A single address sends the requests: continue with [throttled-requests](#throttled-requests).',
  ],
  metrics: ({ functions }) => ({
    ...Object.fromEntries(
      operationIds.map((id) => [
        functionName(id),
        functions.byOperation[id].metricThrottles({ period }),
      ]),
    ),
    worker: functions.worker.metricThrottles({ period }),
  }),
}
