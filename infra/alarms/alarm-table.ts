import { Duration } from 'aws-cdk-lib'
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { functionName, operationIds, routes } from '../../lib/contract/routes.ts'
import { metricDimension, metricNamespace } from '../../lib/observability/metrics.ts'
import type { BackgroundQueue } from '../background-queue.ts'
import type { Functions } from '../functions.ts'
import type { HttpApi } from '../http-api.ts'
import type { ServiceTable } from '../service-table.ts'

/** What is monitored. */
export interface Monitored {
  readonly api: HttpApi
  readonly functions: Functions
  readonly queue: BackgroundQueue
  readonly table: ServiceTable
}

/** One row of the alarm table: it rings when the metric is at or over the threshold. */
export interface AlarmRow {
  readonly name: string
  /** What it measures, in words. */
  readonly metric: string
  readonly threshold: number
  readonly unit: string
  /** In how many of the last three periods of five minutes. */
  readonly periods: 1 | 2 | 3
  /** What the person it wakes does first. */
  readonly firstSteps: string
  /** The metrics: one alarm for each, its name after the row's. */
  metrics(resources: Monitored): Readonly<Record<string, IMetric>>
}

const period = Duration.minutes(5)

/** The only metric of a row. */
const one = (metric: IMetric) => ({ '': metric })

const total = (metrics: readonly IMetric[], label: string): IMetric => {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]))
  return new MathExpression({ expression: 'SUM(METRICS())', usingMetrics, label, period })
}

/** A metric that functions write into their log lines. */
const written = (metricName: string, of: IFunction): IMetric =>
  new Metric({
    namespace: metricNamespace,
    metricName,
    dimensionsMap: { [metricDimension]: of.functionName },
    statistic: Stats.SUM,
    period,
  })

const isOfIndexer = (id: (typeof operationIds)[number]) =>
  (routes[id].problems as readonly string[]).includes('indexer_unavailable')

const slowness = (ids: readonly (typeof operationIds)[number][], { functions }: Monitored) =>
  Object.fromEntries(
    ids.map((id) => [
      functionName(id),
      functions.byOperation[id].metricDuration({ statistic: Stats.percentile(99), period }),
    ]),
  )

/** THE table of alarms: the stack makes them, the dashboard shows them, docs/operations.md prints them. */
export const alarmTable: readonly AlarmRow[] = [
  {
    name: 'server-errors',
    metric: 'Answers with a 5xx status, of all answers, when there are at least 5',
    threshold: 1,
    unit: '%',
    periods: 2,
    firstSteps:
      'In Logs Insights, over the log groups of the functions: `filter status >= 500 | stats count() by operation, code, reason`. `indexer_unavailable`: see indexer-failures. `service_unavailable`: the reason names the AWS service; see its health page and the throttles below. `internal_error`: a defect; the line with the same `requestId` and `defect` has the stack. No such lines: the function was throttled or died; see function-throttles and the access log.',
    metrics: ({ api }) =>
      one(
        new MathExpression({
          expression: 'IF(errors >= 5, 100 * errors / requests, 0)',
          usingMetrics: {
            errors: api.api.metricServerError({ statistic: Stats.SUM, period }),
            requests: api.api.metricCount({ statistic: Stats.SUM, period }),
          },
          label: '5xx, % of answers',
          period,
        }),
      ),
  },
  {
    name: 'slow-answers',
    metric: 'Duration of an operation that asks no indexer, 99th percentile, each by itself',
    threshold: 3_000,
    unit: 'ms',
    periods: 3,
    firstSteps:
      'Compare with the number of calls: with few calls the 99th percentile is a single cold start. See table-throttles, then the health of DynamoDB and KMS in the Region. `filter durationMilliseconds > 3000 | stats count() by reason, dynamodbCalls, kmsCalls` shows what the slow calls waited for.',
    metrics: (monitored) =>
      slowness(
        operationIds.filter((id) => !isOfIndexer(id)),
        monitored,
      ),
  },
  {
    name: 'slow-indexer-answers',
    metric: 'Duration of an operation that asks the indexer, 99th percentile, each by itself',
    threshold: 15_000,
    unit: 'ms',
    periods: 3,
    firstSteps:
      "See indexer-failures and the indexer's own status page. `stats avg(indexerCalls), max(durationMilliseconds) by productId` shows whether it is one product's large wallets.",
    metrics: (monitored) => slowness(operationIds.filter(isOfIndexer), monitored),
  },
  {
    name: 'function-throttles',
    metric: 'Calls that Lambda did not run for want of concurrency, each function by itself',
    threshold: 1,
    unit: 'calls',
    periods: 2,
    firstSteps:
      'See ConcurrentExecutions of the account: at its quota, ask for a higher one (Service Quotas, Lambda, "Concurrent executions") and set `accountConcurrency` to it. Below it, a `reservedConcurrency` is too low. A sudden rise without more players: see the access log for one `sourceIp`.',
    metrics: ({ functions }) => ({
      ...Object.fromEntries(
        operationIds.map((id) => [
          functionName(id),
          functions.byOperation[id].metricThrottles({ period }),
        ]),
      ),
      worker: functions.worker.metricThrottles({ period }),
    }),
  },
  {
    name: 'turned-away',
    metric: 'Requests that API Gateway answered with 429',
    threshold: 100,
    unit: 'requests',
    periods: 2,
    firstSteps:
      'In the access log: `filter status = 429 | stats count() by route, sourceIp`. One address: a game that asks in a loop, or an attack; talk to the studio, or put CloudFront with AWS WAF before the API. Many: the service has grown; raise `accountConcurrency` or `indexerUnitsPerSecond`, from which the throttles are worked out, after their quotas.',
    metrics: ({ api }) => one(api.metricThrottledRequests(period)),
  },
  {
    name: 'dead-letters',
    metric: 'Messages that failed five times and were set aside',
    threshold: 1,
    unit: 'messages',
    periods: 1,
    firstSteps:
      'The lines of the worker with level ERROR say why. Nothing that callers see is wrong: what is left is clearing up after an unbinding (`sweep`) or a refresh that stays incomplete (`refresh`). Mend the cause, then redrive the dead-letter queue (SQS console, "Start DLQ redrive"): every message may be done again.',
    metrics: ({ queue }) =>
      one(queue.deadLetters.metricApproximateNumberOfMessagesVisible({ period })),
  },
  {
    name: 'old-work',
    metric: 'Age of the oldest message that waits for the worker',
    threshold: 900,
    unit: 's',
    periods: 3,
    firstSteps:
      'See whether the worker runs at all (function-throttles-worker) and fails (its lines with level ERROR). Five messages are worked on at a time: after a large refresh or unbinding a row of them is normal, and gets shorter.',
    metrics: ({ queue }) => one(queue.queue.metricApproximateAgeOfOldestMessage({ period })),
  },
  {
    name: 'table-throttles',
    metric: 'Reads and writes that DynamoDB throttled',
    threshold: 10,
    unit: 'requests',
    periods: 2,
    firstSteps:
      'They were sent again, batches up to seven times and the rest twice, so callers saw little. On-demand tables double their throughput within minutes; a lasting throttle means one hot partition, a single product or binding: `stats count() by productId` shows which. See the quotas below.',
    metrics: ({ table: { table } }) =>
      one(
        total(
          ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) =>
            table.metric(name, { statistic: Stats.SUM, period }),
          ),
          'throttled reads and writes',
        ),
      ),
  },
  {
    name: 'kms-failures',
    metric: 'Calls to KMS that failed to the end, in all operations that use it',
    threshold: 5,
    unit: 'failures',
    periods: 2,
    firstSteps:
      '`filter kmsFailures > 0 | stats count() by operation, reason`. AccessDeniedException or DisabledException: somebody has changed the keys; undo it (a key that waits for deletion can be kept: `aws kms cancel-key-deletion`). ThrottlingException: see the quotas below. Otherwise KMS is unwell: tokens that are out stay good, no new ones are minted.',
    metrics: ({ functions: { byOperation } }) =>
      one(
        total(
          [
            byOperation.createPlayerToken,
            byOperation.getPublicKey,
            byOperation.getKeySet,
            byOperation.getPlayerDetails,
            byOperation.getRawMetadata,
            byOperation.getStructuredMetadata,
          ].map((each) => written('kmsFailures', each)),
          'KMS failures',
        ),
      ),
  },
  {
    name: 'indexer-failures',
    metric: 'Questions to the indexer that failed to the end, in all operations and the worker',
    threshold: 10,
    unit: 'failures',
    periods: 2,
    firstSteps:
      '`filter indexerFailures > 0 | stats count() by operation, reason`. HTTP 401 or 403: the key in the secret is wrong or was revoked; put a good one in. HTTP 429: the plan is too small. Timed out, HTTP 5xx: the indexer is unwell; games get 503 with Retry-After until it is back, and nothing is lost.',
    metrics: ({ functions: { byOperation, worker } }) =>
      one(
        total(
          [...operationIds.filter(isOfIndexer).map((id) => byOperation[id]), worker].map((each) =>
            written('indexerFailures', each),
          ),
          'indexer failures',
        ),
      ),
  },
]
