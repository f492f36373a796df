import { Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { problemsOf, type Route } from '../../lib/contract/route.ts'
import { reservedExecutions } from '../settings/reserved-concurrency.ts'
import type { AlarmRow, Monitored } from './alarm-row.ts'
import { grouped, groupedAccess, type Step, step, threshold } from './logs-insights.ts'
import { accountMetric, functionMetric, largest } from './metrics.ts'

const callsIndexer = (route: Route): boolean => problemsOf(route).includes('indexer_unavailable')

/** The 99th percentiles of the durations of some operations. */
const durations = ({ functions }: Monitored, isIncluded: (route: Route) => boolean) =>
  functions.operations
    .filter(({ route }) => isIncluded(route))
    .map((each) => functionMetric(each, 'Duration', Stats.percentile(99)))

const ofOthers = (resources: Monitored) => durations(resources, (route) => !callsIndexer(route))
const ofIndexer = (resources: Monitored) => durations(resources, callsIndexer)

const label = 'p99 of the slowest operation'

/** Finds the operation that an alarm on the largest duration is about. */
const slowestOperations: Step = step(
  'Find the operation, in the log group of the operations:',
  { name: 'slowest-operations', logs: 'operations' },
  'filter ispresent(operation)',
  grouped(
    'pct(durationMilliseconds, 99) as p99, count() as requests, count(coldStart) as coldStarts',
    'operation',
  ),
  'sort p99 desc',
  'limit 50',
)

export const slowAnswers: AlarmRow = {
  name: 'slow-answers',
  urgency: 'the same day',
  description:
    'An operation that does not call the indexer responds slowly. The value is the largest 99th percentile of the duration of up to ten operations.',
  threshold: 3_000,
  unit: 'ms',
  periods: 3,
  firstSteps: [
    slowestOperations,
    'If it had few requests, the 99th percentile is a single cold start.',
    step(
      'Find out which service the slow requests waited for, in the log group of the operations:',
      { name: 'waits-of-slow-requests', logs: 'operations' },
      `filter durationMilliseconds >= ${threshold}`,
      grouped(
        'count() as requests, avg(dynamodbMilliseconds), avg(kmsMilliseconds), avg(keySetMilliseconds), count(coldStart) as coldStarts',
        'operation, reason',
      ),
    ),
  ],
  resolution: [
    'DynamoDB throttles requests: continue with [table-throttles](#table-throttles).',
    'Otherwise, see the health of DynamoDB and KMS in the Region.',
  ],
  metrics: (resources) => largest(ofOthers(resources), label),
  graph: ofOthers,
}

export const slowIndexerAnswers: AlarmRow = {
  name: 'slow-indexer-answers',
  urgency: 'the same day',
  description:
    'An operation that calls the indexer responds slowly. The value is the largest 99th percentile of the duration of up to ten operations.',
  threshold: 15_000,
  unit: 'ms',
  periods: 3,
  quietDuring: 'indexer-failures',
  firstSteps: [
    step(
      'Find the operation, and whether the large wallets of one product are slow, in the log group of the operations:',
      { name: 'slowest-products', logs: 'operations' },
      `filter indexerCalls > 0 and durationMilliseconds >= ${threshold}`,
      grouped(
        'count() as requests, avg(indexerCalls), avg(indexerMilliseconds), max(durationMilliseconds) as slowest',
        'productId, operation, reason',
      ),
      'sort slowest desc',
      'limit 20',
    ),
    'Check the alarm [indexer-failures](#indexer-failures) and the status page of the indexer.',
  ],
  resolution: [
    'The indexer is slow or fails: continue with [indexer-failures](#indexer-failures).',
    'The wallets of one product are large: the [number of indexer calls](costs.md#what-a-call-grows-with) grows with the NFTs in a wallet.',
  ],
  metrics: (resources) => largest(ofIndexer(resources), label),
  graph: ofIndexer,
}

export const functionThrottles: AlarmRow = {
  name: 'function-throttles',
  urgency: 'at once',
  description:
    'Lambda rejected invocations because the concurrency was used up. The value is their number, of all functions in the account and Region. Callers receive 429 or 503.',
  threshold: 1,
  unit: 'calls',
  periods: 2,
  firstSteps: [
    'Find the function on the CloudWatch dashboard of the stack, in the graph function-throttles. If it is none of the stack, another system of the account was throttled.',
    'Compare the metric ConcurrentExecutions of the account with its quota: `aws lambda get-account-settings --query AccountLimit`',
    step(
      'If the requests rose suddenly and the players did not, look for a single address, in the access log:',
      { name: 'requests-by-address', logs: 'access log' },
      groupedAccess('count() as requests', 'sourceIp, route'),
      'sort requests desc',
      'limit 20',
    ),
  ],
  resolution: [
    'ConcurrentExecutions is at its quota: request a higher quota (Service Quotas, Lambda, "Concurrent executions"), set `accountConcurrency` to the new value, and deploy.',
    'ConcurrentExecutions is below its quota: the `reservedConcurrency` of the function is too low. Raise it and deploy.',
    'A single address sends the requests: continue with [throttled-requests](#throttled-requests).',
  ],
  metrics: () => accountMetric('Throttles', Stats.SUM),
  graph: ({ functions }) =>
    [
      ...functions.operations,
      functions.worker,
      ...(functions.deliverer ? [functions.deliverer] : []),
    ].map((each) => functionMetric(each, 'Throttles')),
}

/** The part of the unreserved concurrent executions from which the alarm is on. */
const concurrencyShare = 0.8

export const accountConcurrency: AlarmRow = {
  name: 'account-concurrency',
  urgency: 'at once',
  description:
    'The concurrent executions of the account are almost used up. The value counts those that no other invocation can have: in use, or reserved. At the quota, Lambda rejects requests.',
  threshold: {
    rule: `the reservations of the stack, and ${concurrencyShare * 100} % of the rest of [accountConcurrency](operations.md#concurrency)`,
    value: (settings) => {
      const reserved = reservedExecutions(settings)
      return Math.floor(reserved + concurrencyShare * (settings.accountConcurrency - reserved))
    },
  },
  unit: 'executions',
  periods: 2,
  firstSteps: [
    'Compare with the quota: `aws lambda get-account-settings --query AccountLimit`',
    'Find the functions with the most executions: CloudWatch metrics, AWS/Lambda, ConcurrentExecutions by function name. Functions of other systems count too.',
    step(
      'Find out whether requests take longer or became more, in the log groups of the functions:',
      { name: 'time-by-operation', logs: 'functions' },
      'stats count() as requests, sum(durationMilliseconds) / 300000 as executions by operation, bin(5m)',
      'sort executions desc',
      'limit 50',
    ),
  ],
  resolution: [
    'The service has grown: request a higher quota (Service Quotas, Lambda, "Concurrent executions"), set `accountConcurrency` to the new value, and deploy.',
    'Requests take longer: see the alarms [slow-answers](#slow-answers) and [slow-indexer-answers](#slow-indexer-answers).',
    'One caller: continue with [throttled-requests](#throttled-requests).',
    'Another system of the account: reserve executions for its functions, or move it to another account.',
  ],
  metrics: () => accountMetric('ClaimedAccountConcurrency', Stats.MAXIMUM),
}
