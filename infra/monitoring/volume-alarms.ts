import { Duration } from 'aws-cdk-lib'
import { Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { daysPerMonth } from '../settings/indexer-plan.ts'
import type { AlarmRow } from './alarm-row.ts'
import { grouped, groupedAccess, step } from './logs-insights.ts'
import { functionMetric, loggedMetric, period } from './metrics.ts'
import { productsByIndexerUnits, productsByTableRequests } from './shared-steps.ts'

const stopTheCaller =
  'A single product: [a noisy product](runbook.md#a-noisy-product) says how to read its use, and how to stop it.'

const growth = (setting: string) =>
  `The service has grown: raise \`volumeAlarms.${setting}\` and deploy. [Costs](costs.md) says what the volume costs.`

export const indexerVolume: AlarmRow = {
  name: 'indexer-volume',
  urgency: 'the same day',
  description:
    'The service calls the indexer much more than usual, which uses up the plan. The value is the number of requests of all functions, retries included.',
  threshold: 'indexerCalls',
  unit: 'requests',
  periods: 2,
  firstSteps: [
    productsByIndexerUnits,
    'Compare with the month of the plan, on the dashboard of Alchemy.',
  ],
  resolution: [
    stopTheCaller,
    'Requests of `getPlayerDetails`, which have no product: the limit by player bounds each of them. Look for a rise of `createPlayerToken`, and continue with [player-token-volume](#player-token-volume).',
    growth('indexerCalls'),
  ],
  metrics: (resources) => loggedMetric('indexerCalls', resources),
}

export const indexerPlan: AlarmRow = {
  name: 'indexer-plan',
  urgency: 'the next working day',
  description:
    'The indexer billed more compute units in a day than the plan has for it. The value is their number. At this rate, the units of the month end before the month, and every operation that calls the indexer then fails with 503.',
  threshold: {
    rule: 'a thirtieth of [indexerUnitsPerMonth](settings.md#a-deployment)',
    value: ({ indexerUnitsPerMonth }) => Math.floor(indexerUnitsPerMonth / daysPerMonth),
  },
  unit: 'compute units',
  periods: 1,
  window: 'one day',
  firstSteps: [
    'Compare with the month of the plan, on the dashboard of Alchemy: how many units are left, for how many days?',
    productsByIndexerUnits,
  ],
  resolution: [
    'The units will suffice, because the earlier days of the month used fewer: nothing.',
    'The service has grown: choose a larger plan, set `indexerUnitsPerMonth`, and deploy. [Costs](costs.md) says what the units cost.',
    stopTheCaller,
    'Many products: lower `indexerCallsPerProductAndDay` until the plan is larger ([limits](operations.md#limits)).',
  ],
  metrics: (resources) => loggedMetric('indexerUnits', resources, Duration.days(1)),
}

export const registrationVolume: AlarmRow = {
  name: 'registration-volume',
  urgency: 'the same day',
  description:
    'Callers register many products. The value is the number of requests, rejected requests included. The limits of registrations bound how many succeed.',
  threshold: 'registrations',
  unit: 'requests',
  periods: 2,
  firstSteps: [
    step(
      'Look for a single address, in the access log:',
      { name: 'registrations-by-address', logs: 'access log' },
      'filter route = "POST /api/public/v1/product"',
      groupedAccess('count() as requests', 'sourceIp, status'),
      'sort requests desc',
      'limit 20',
    ),
    'Behind [CloudFront](changes.md#cloudfront), `sourceIp` is an address of CloudFront. Read the addresses of callers in the sampled requests of the web ACL.',
    step(
      'Count the registrations that succeeded, in the log group of the operations:',
      { name: 'outcomes', logs: 'operations' },
      'filter operation = "registerProduct"',
      grouped('count()', 'status, code'),
    ),
  ],
  resolution: [
    'A single address: the limit by address bounds it. Behind [CloudFront](changes.md#cloudfront), block it with a rule of the web ACL.',
    'Many addresses: [close registration](operations.md#closed-registration) until it ends.',
    growth('registrations'),
  ],
  metrics: ({ functions }) => functionMetric(functions.operation('registerProduct'), 'Invocations'),
}

export const writeVolume: AlarmRow = {
  name: 'write-volume',
  urgency: 'the same day',
  description:
    'The service writes much more than usual, which costs money. The value is the write request units that the table consumed.',
  threshold: 'writes',
  unit: 'units',
  periods: 2,
  firstSteps: [productsByTableRequests],
  resolution: [
    stopTheCaller,
    'The worker sweeps a large list: wait. The number of entries on it is finite.',
    growth('writes'),
  ],
  metrics: ({ table: { table } }) =>
    table.metricConsumedWriteCapacityUnits({ statistic: Stats.SUM, period }),
}

export const playerTokenVolume: AlarmRow = {
  name: 'player-token-volume',
  urgency: 'the same day',
  description:
    'Logins ask for many player tokens, each of which KMS signs. The value is the number of requests to KMS, with the reads of public keys by new containers.',
  threshold: 'playerTokens',
  unit: 'requests',
  periods: 2,
  firstSteps: [
    step(
      'Compare the successes with the limited requests, in the log group of the operations:',
      { name: 'outcomes', logs: 'operations' },
      'filter operation = "createPlayerToken"',
      'stats count() by status, code, bin(5m)',
    ),
    'Ask the operators of the login whether sign-ins rose as much.',
  ],
  resolution: [
    'Sign-ins rose: see [the quota of KMS](quotas.md).',
    'Sign-ins did not rise: somebody uses user JWTs in a loop. The limit by user bounds each of them. Let the login end the sessions of these users, or [replace the key of user JWTs](runbook.md#dropping-all-keys) if it has leaked.',
    growth('playerTokens'),
  ],
  metrics: (resources) => loggedMetric('kmsCalls', resources),
}
