import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { AlarmRow } from './alarm-row.ts'
import { grouped } from './logs-insights.ts'
import { loggedMetric, period, single } from './metrics.ts'

/** The calls to the indexer that failed after all retries. */
export const indexerFailures: AlarmRow = {
  name: 'indexer-failures',
  urgency: 'at once',
  description:
    'Calls to the indexer failed after all retries. The value is their number, of all operations and the worker. Games receive 503 with Retry-After. No data is lost. The alarms server-errors, slow-indexer-calls, slow-indexer-answers, worker-errors and old-work do not notify while this alarm is on.',
  threshold: 10,
  unit: 'failures',
  periods: 2,
  firstSteps: [
    {
      text: 'Group the failures, in the log groups of the functions:',
      query: {
        name: 'failures-by-reason',
        logs: 'functions',
        commands: [
          'filter indexerFailures > 0',
          grouped('count()', 'operation, kind, reason, error'),
        ],
      },
    },
    'If a reason is `HTTP 403: is the network … enabled in the app of the key?`, look in the dashboard of Alchemy whether this [network](changes.md#the-networks-of-the-indexer) is enabled.',
    'Otherwise, read the status page of Alchemy: https://status.alchemy.com',
  ],
  resolution: [
    'HTTP 403: [enable the network](changes.md#the-networks-of-the-indexer) in the app. If it is enabled, the secret can hold the key of another app: [store the key](changes.md#the-indexers-key).',
    'HTTP 401: the key in the secret is wrong or revoked. [Store a valid key](changes.md#the-indexers-key).',
    'HTTP 429: the plan is too small. See [the quotas of Alchemy](quotas.md).',
    '`configuration: SERVICE_TOKEN names no contract of its chain`: correct the setting `serviceToken` and deploy.',
    'Timeouts or HTTP 5xx: the indexer has a fault. Read its status page and wait.',
  ],
  metrics: (resources) => single(loggedMetric('indexerFailures', resources)),
}

/** The number of calls in five minutes from which their times are judged: a few slow ones at night ring nothing. */
const leastCalls = 20

const waits =
  'count() as requests, sum(indexerCalls) as calls, avg(indexerMilliseconds) as wait, max(indexerMilliseconds) as longest'

/** The time that the indexer takes. */
export const slowIndexer: AlarmRow = {
  name: 'slow-indexer-calls',
  urgency: 'the same day',
  description:
    'The indexer is slow. The value is the 90th percentile of the time of its calls, with all attempts, also of those that timed out, of all operations and the worker; 0 if there are fewer than 20. Callers wait for their NFTs.',
  threshold: {
    rule: '[slowIndexerMilliseconds](settings.md#a-deployment)',
    of: ({ slowIndexerMilliseconds }) => slowIndexerMilliseconds,
  },
  unit: 'ms',
  periods: 2,
  quietDuring: 'indexer-failures',
  firstSteps: [
    {
      text: 'Find out which operations and products wait, and since when, in the log groups of the functions:',
      query: {
        name: 'waits-by-operation',
        logs: 'functions',
        commands: [
          'filter indexerCalls > 0',
          grouped(waits, 'operation, kind, productId'),
          'sort wait desc',
          'limit 20',
        ],
      },
    },
    {
      text: 'Find out which players wait, in the log group of the operations:',
      query: {
        name: 'waits-by-player',
        logs: 'operations',
        commands: [
          'filter indexerCalls > 0 and ispresent(player)',
          grouped(waits, 'player, productId, operation'),
          'sort wait desc',
          'limit 20',
        ],
      },
    },
    'Read the status page of Alchemy: https://status.alchemy.com',
  ],
  resolution: [
    'All operations wait: the indexer is slow. Wait, or ask its support with the time from the query. With [rememberSeconds](settings.md#a-deployment), repeated reads do not ask it.',
    'Only `refreshMetadata` and the kind `refresh` wait: the servers of the metadata are slow, from which the indexer fetches it again. Nothing else is slow.',
    'Only some players wait: their wallets are large, and each call returns up to 100 NFTs. If the times are usual for you, raise `slowIndexerMilliseconds` and deploy.',
  ],
  metrics: (resources) => {
    const timesOf = (statistic: string) =>
      loggedMetric('indexerCallMilliseconds', resources, period, statistic)
    return single(
      new MathExpression({
        expression: `IF(calls >= ${leastCalls}, time, 0)`,
        usingMetrics: {
          calls: timesOf(Stats.SAMPLE_COUNT),
          time: timesOf(Stats.percentile(90)),
        },
        label: 'time of a call of the indexer, p90',
        period,
      }),
    )
  },
}
