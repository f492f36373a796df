import { Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { AlarmRow } from './alarm-row.ts'
import { query } from './logs-insights.ts'
import { indexerOperations, loggedMetric, period, single, sum } from './metrics.ts'

/** The requests that DynamoDB throttled. */
export const tableThrottles: AlarmRow = {
  name: 'table-throttles',
  description:
    'The number of reads and writes that DynamoDB throttled. They are retried, batches up to seven times and other requests twice, so callers notice few of them.',
  threshold: 10,
  unit: 'requests',
  periods: 2,
  firstSteps: [
    'Wait some minutes: a table on demand accepts up to twice its previous peak within 30 minutes.',
    `If DynamoDB still throttles requests, a single partition is hot, that is, one product or one contract. Find the product, in the log groups of the functions:\n${query(
      'stats count() by productId',
    )}`,
  ],
  resolution: [
    'See [the quotas of DynamoDB](operations.md#quotas) and what to change for [a hot contract](scale.md#hot-contract) or [a hot contract list](scale.md#hot-contract-list).',
  ],
  metrics: ({ table: { table } }) =>
    single(
      sum(
        ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) =>
          table.metric(name, { statistic: Stats.SUM, period }),
        ),
        'throttled reads and writes',
      ),
    ),
}

/** The calls to KMS that failed after all retries. */
export const kmsFailures: AlarmRow = {
  name: 'kms-failures',
  description:
    'The number of calls to KMS that failed after all retries, in all operations that use KMS. Existing player tokens stay valid.',
  threshold: 5,
  unit: 'failures',
  periods: 2,
  firstSteps: [
    `Group the failures, in the log groups of the functions:\n${query(
      'filter kmsFailures > 0',
      'stats count() by operation, reason',
    )}`,
  ],
  resolution: [
    'AccessDeniedException or DisabledException: somebody has changed the keys. Undo the change. To keep a key that is scheduled for deletion, use `aws kms cancel-key-deletion`.',
    'ThrottlingException: raise [the quota of KMS](operations.md#quotas).',
    'Otherwise, see the health page of KMS and wait.',
  ],
  metrics: ({ functions: { byOperation } }) =>
    single(
      sum(
        [
          byOperation.createPlayerToken,
          byOperation.getPublicKey,
          byOperation.getKeySet,
          byOperation.getPlayerDetails,
          byOperation.getRawMetadata,
          byOperation.getStructuredMetadata,
        ].map((each) => loggedMetric('kmsFailures', each)),
        'KMS failures',
      ),
    ),
}

/** The calls to the indexer that failed after all retries. */
export const indexerFailures: AlarmRow = {
  name: 'indexer-failures',
  description:
    'The number of calls to the indexer that failed after all retries, in all operations and the worker. Games receive 503 with Retry-After. No data is lost.',
  threshold: 10,
  unit: 'failures',
  periods: 2,
  firstSteps: [
    `Group the failures, in the log groups of the functions:\n${query(
      'filter indexerFailures > 0',
      'stats count() by operation, reason',
    )}`,
    'If a reason is `HTTP 403: is the network … enabled in the app of the key?`, open the app of the key in the dashboard of Alchemy and look whether this [network](operations.md#the-networks-of-the-indexer) is enabled.',
  ],
  resolution: [
    'HTTP 403: [enable the network](operations.md#the-networks-of-the-indexer) in the app. If it is enabled, the secret can hold the key of another app: [store the key](operations.md#the-indexers-key).',
    'HTTP 401: the key in the secret is wrong or revoked. [Store a valid key](operations.md#the-indexers-key).',
    'HTTP 429: the plan is too small. See [the quotas of Alchemy](operations.md#quotas).',
    '`configuration: SERVICE_TOKEN names no contract of its chain`: correct the setting `serviceToken` and deploy.',
    'Timeouts or HTTP 5xx: the indexer has a fault. Read its status page and wait.',
  ],
  metrics: ({ functions: { byOperation, worker } }) =>
    single(
      sum(
        [...indexerOperations.map((id) => byOperation[id]), worker].map((each) =>
          loggedMetric('indexerFailures', each),
        ),
        'indexer failures',
      ),
    ),
}
