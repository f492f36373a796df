import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { AlarmRow } from './alarm-row.ts'
import { grouped, step, threshold } from './logs-insights.ts'
import { failures, kindOf, leastOfKind, loggedMetric, longPeriod, period } from './metrics.ts'
import { failuresByReason } from './shared-steps.ts'

const failureThreshold = 20

/** The failed calls, or the failed requests if these are more: some fail without a call, for example by a wrong setting. */
const failed = 'MAX([FILL(calls, 0), FILL(failed, 0)])'

/** Below 1 % of all calls, 0: with many players, a few calls fail all the time. */
const failedFromShare = `IF(100 * ${failed} >= FILL(asked, 0), ${failed}, 0)`

/** The calls to the indexer that failed after all retries, and the requests that need it (D138). */
export const indexerFailures: AlarmRow = {
  name: 'indexer-failures',
  urgency: 'at once',
  description:
    'Calls to the indexer failed after all retries. The value is their number, or that of failed requests, 0 below 1 % of the calls, and 20 more if every request that needs the indexer fails, at least three. Games receive 503 with Retry-After. No data is lost. The alarms slow-indexer-calls, slow-indexer-answers, worker-errors and old-work do not notify while this alarm is on.',
  threshold: failureThreshold,
  unit: 'failures',
  periods: 1,
  window: '30 minutes',
  firstSteps: [
    failuresByReason,
    'If a reason is `HTTP 403: is the network … enabled in the app of the key?`, look in the dashboard of Alchemy whether this [network](changes.md#open-or-add-a-chain) is enabled.',
    'Otherwise, read the status page of Alchemy: https://status.alchemy.com',
  ],
  resolution: [
    'HTTP 403: [enable the network](changes.md#open-or-add-a-chain) in the app. If it is enabled, the secret can hold the key of another app: [store the key](changes.md#the-indexers-key).',
    'HTTP 401: the key in the secret is wrong or revoked. [Store a valid key](changes.md#the-indexers-key).',
    'HTTP 429: the plan is too small. See [the quotas of Alchemy](quotas.md).',
    '`configuration: SERVICE_TOKEN names no contract of its chain`: correct the setting `serviceToken` and deploy.',
    'Timeouts or HTTP 5xx: the indexer has a fault. Read its status page and wait.',
    '`no connection`: the name of the indexer is not resolved, or nothing answers there. Look at the setting `indexerUrl` if you have one.',
    '`malformed answer`: the indexer contradicts itself. If the reason names a contract, [unbind it](runbook.md#an-nft-that-the-indexer-cannot-describe). If it goes on, report it to its support with the reason.',
  ],
  metrics: (resources) =>
    failures(
      {
        calls: loggedMetric('indexerFailures', resources, longPeriod),
        asked: loggedMetric('indexerCallMilliseconds', resources, longPeriod, Stats.SAMPLE_COUNT),
      },
      kindOf('indexerRequestFailures', resources),
      failureThreshold,
      'failures of the indexer',
      failedFromShare,
    ),
}

/** The number of calls in five minutes from which their times are judged: a few slow ones at night ring nothing. */
const leastCalls = 20

/** The requests and messages with a slow call, whose first and last time say since when there are any. */
const slowCalls = `filter indexerSlowestMilliseconds >= ${threshold}`

const slowWaits =
  'count() as requests, sum(indexerCalls) as calls, avg(indexerMilliseconds) as wait, max(indexerSlowestMilliseconds) as slowest'

export const slowIndexer: AlarmRow = {
  name: 'slow-indexer-calls',
  urgency: 'the same day',
  description:
    'The indexer is slow. The value is the 90th percentile of the time of its calls, with all attempts, also of those that timed out, of all operations and the worker; 0 if there are fewer than 20. Callers wait for their NFTs.',
  threshold: {
    rule: '[slowIndexerMilliseconds](settings.md#a-deployment)',
    value: ({ slowIndexerMilliseconds }) => slowIndexerMilliseconds,
  },
  unit: 'ms',
  periods: 2,
  quietDuring: 'indexer-failures',
  firstSteps: [
    step(
      'Find out since when the calls are slow, in the log groups of the functions:',
      { name: 'waits-by-time', logs: 'functions' },
      'filter ispresent(indexerSlowestMilliseconds)',
      'stats count() as requests, pct(indexerSlowestMilliseconds, 90) as p90, max(indexerSlowestMilliseconds) as slowest by bin(5m) as period',
      'sort period desc',
    ),
    step(
      'Find out which operations and products have slow calls:',
      { name: 'waits-by-operation', logs: 'functions' },
      slowCalls,
      grouped(slowWaits, 'operation, kind, productId, reason'),
      'sort requests desc',
      'limit 20',
    ),
    step(
      'Find out which players wait for slow calls:',
      { name: 'waits-by-player', logs: 'operations' },
      `${slowCalls} and ispresent(player)`,
      grouped(slowWaits, 'player, productId, operation, reason'),
      'sort requests desc',
      'limit 20',
    ),
    'Read the status page of Alchemy: https://status.alchemy.com',
  ],
  resolution: [
    'All operations wait: the indexer is slow. Wait, or ask its support with the time from the first query. With [followedChains](settings.md#a-deployment), reads of contracts in use do not ask it.',
    'Only `refreshMetadata` and the kind `refresh` wait: the servers of the metadata are slow, from which the indexer fetches it again. Nothing else is slow.',
    'Only some players wait: their NFTs have much metadata, and each call returns up to 100 NFTs. If the times are usual for you, raise `slowIndexerMilliseconds` and deploy.',
  ],
  metrics: (resources) => {
    const timesOf = (statistic: string) =>
      loggedMetric('indexerCallMilliseconds', resources, period, statistic)
    return new MathExpression({
      expression: `IF(calls >= ${leastCalls}, time, 0)`,
      usingMetrics: {
        calls: timesOf(Stats.SAMPLE_COUNT),
        time: timesOf(Stats.percentile(90)),
      },
      label: 'time of a call of the indexer, p90',
      period,
    })
  },
}

/** How old the answers about NFTs on main networks are (D145). */
export const oldAnswers: AlarmRow = {
  name: 'old-answers',
  urgency: 'the same day',
  description:
    'The indexer answers with an old state of its chains, or stands still. The value is the median age of answers about NFTs on main networks, if there are at least three. Players do not see NFTs that they have got meanwhile. The answers are 200, and say their age in asOf.',
  // Ten minutes.
  threshold: 600,
  unit: 's',
  periods: 1,
  window: '30 minutes',
  firstSteps: [
    step(
      'Find out since when answers are old, in the log group of the operations:',
      { name: 'ages-by-time', logs: 'operations' },
      'filter ispresent(nfts)',
      'stats count() as answers, pct(answerAgeSeconds, 50) as age, pct(mainAnswerAgeSeconds, 50) as mainAge by bin(5m) as period',
      'sort period desc',
    ),
    step(
      'Find out whether answers have lost their NFTs:',
      { name: 'empty-answers-by-time', logs: 'operations' },
      'filter nfts = 0',
      'stats count() as empty, count_distinct(player) as players, count_distinct(productId) as products, latest(productId) as product by bin(5m) as period',
      'sort period desc',
    ),
    'Read the status page of Alchemy: https://status.alchemy.com',
  ],
  resolution: [
    '[An indexer that stands still](runbook.md#an-indexer-that-stands-still) says what the queries mean, and what to do.',
    'The chain itself stands still: wait.',
  ],
  graph: (resources) =>
    [50, 99].map((percent) =>
      loggedMetric('mainAnswerAgeSeconds', resources, period, Stats.percentile(percent)),
    ),
  metrics: (resources) => {
    const agesOf = (statistic: string) =>
      loggedMetric('mainAnswerAgeSeconds', resources, longPeriod, statistic)
    return new MathExpression({
      expression: `IF(answers >= ${leastOfKind}, age, 0)`,
      usingMetrics: {
        answers: agesOf(Stats.SAMPLE_COUNT),
        age: agesOf(Stats.percentile(50)),
      },
      label: 'age of answers on main networks, median',
      period: longPeriod,
    })
  },
}
