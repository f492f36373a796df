import { Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { AlarmRow } from './alarm-row.ts'
import { query } from './logs-insights.ts'
import { indexerOperations, loggedMetric, period, single, sum } from './metrics.ts'

/** Finds the products behind a volume. */
const byProduct = query(
  'filter ispresent(productId)',
  'stats count() as requests, sum(indexerCalls) as calls by productId',
  'sort requests desc',
  'limit 20',
)

const stopTheCaller =
  'A single product: [a noisy product](incidents.md#a-noisy-product) says how to read its use, and how to stop it.'

const growth = (setting: string) =>
  `The service has grown: raise \`volumeAlarms.${setting}\` and deploy. [Costs](costs.md) says what the volume costs.`

/** The requests to the indexer, which cost most of all. */
export const indexerVolume: AlarmRow = {
  name: 'indexer-volume',
  description:
    'The number of requests to the indexer, retries included, of all operations and the worker.',
  threshold: 'indexerCalls',
  unit: 'requests',
  periods: 2,
  firstSteps: [
    `Find the products, in the log groups of the functions:\n${byProduct}`,
    'Compare with the month of the plan, on the dashboard of Alchemy.',
  ],
  resolution: [
    stopTheCaller,
    'Requests of `getPlayerDetails`, which have no product: the limit by player bounds each of them. Look for a rise of `createPlayerToken`, and continue with [player-token-volume](#player-token-volume).',
    growth('indexerCalls'),
  ],
  metrics: ({ functions: { byOperation, worker } }) =>
    single(
      sum(
        [...indexerOperations.map((id) => byOperation[id]), worker].map((each) =>
          loggedMetric('indexerCalls', each),
        ),
        'indexer requests',
      ),
    ),
}

/** The attempts to register a product. */
export const registrationVolume: AlarmRow = {
  name: 'registration-volume',
  description:
    'The number of requests to register a product, rejected requests included. The limits of registrations bound how many succeed.',
  threshold: 'registrations',
  unit: 'requests',
  periods: 2,
  firstSteps: [
    `Look for a single address, in the access log:\n${query(
      'filter route = "POST /api/public/v1/product"',
      'stats count() as requests by sourceIp, status',
      'sort requests desc',
    )}`,
    'Behind [CloudFront](operations.md#cloudfront), `sourceIp` is an address of CloudFront. Read the addresses of callers in the sampled requests of the web ACL.',
    `Count the registrations that succeeded, in the log group of register-product:\n${query(
      'stats count() by status, code',
    )}`,
  ],
  resolution: [
    'A single address: the limit by address bounds it. Behind [CloudFront](operations.md#cloudfront), block it with a rule of the web ACL.',
    'Many addresses: [close registration](operations.md#closed-registration) until it ends.',
    growth('registrations'),
  ],
  metrics: ({ functions: { byOperation } }) =>
    single(byOperation.registerProduct.metricInvocations({ period })),
}

/** The writes to the table. */
export const writeVolume: AlarmRow = {
  name: 'write-volume',
  description: 'The write request units that the table consumed.',
  threshold: 'writes',
  unit: 'units',
  periods: 2,
  firstSteps: [
    `Find the operation and the product, in the log groups of the functions:\n${query(
      'filter dynamodbCalls > 0',
      'stats sum(dynamodbCalls) as calls by operation, kind, productId',
      'sort calls desc',
      'limit 20',
    )}`,
  ],
  resolution: [
    stopTheCaller,
    'The worker sweeps a large list: wait. The number of entries on it is finite.',
    growth('writes'),
  ],
  metrics: ({ table: { table } }) =>
    single(table.metricConsumedWriteCapacityUnits({ statistic: Stats.SUM, period })),
}

/** The player tokens, each of which KMS signs. */
export const playerTokenVolume: AlarmRow = {
  name: 'player-token-volume',
  description:
    'The number of requests to KMS for player tokens: one for each token, and the reads of keys by new containers.',
  threshold: 'playerTokens',
  unit: 'requests',
  periods: 2,
  firstSteps: [
    `Compare the successes with the limited requests, in the log group of create-player-token:\n${query(
      'stats count() by status, code, bin(5m)',
    )}`,
    'Ask the operators of the login whether sign-ins rose as much.',
  ],
  resolution: [
    'Sign-ins rose: see [the quota of KMS](operations.md#quotas).',
    'Sign-ins did not rise: somebody uses user JWTs in a loop. The limit by user bounds each of them. Let the login end the sessions of these users, or [rotate the key of user JWTs](operations.md#rotating-a-key) if it has leaked.',
    growth('playerTokens'),
  ],
  metrics: ({ functions: { byOperation } }) =>
    single(loggedMetric('kmsCalls', byOperation.createPlayerToken)),
}
