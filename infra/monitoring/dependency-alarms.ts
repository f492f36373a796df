import { Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { loginNetworks } from '../../lib/observability/metrics.ts'
import type { AlarmRow } from './alarm-row.ts'
import { failures, loggedMetric, longPeriod, period, single, sum } from './metrics.ts'
import { failuresByReason, productsByTableRequests, rejectionsByReason } from './shared-steps.ts'

/** The requests that DynamoDB throttled. */
export const tableThrottles: AlarmRow = {
  name: 'table-throttles',
  urgency: 'the same day',
  description:
    'DynamoDB throttled reads and writes. The value is their number. They are retried, batches up to seven times and other requests twice, so callers notice few of them.',
  threshold: 10,
  unit: 'requests',
  periods: 2,
  firstSteps: [
    'Wait some minutes: a table on demand accepts up to twice its previous peak within 30 minutes.',
    'Look at the throttled keys: DynamoDB console, the table, Monitor, CloudWatch Contributor Insights. A key begins with the kind of its partition, such as `BINDING` or `PRODUCT`, and the product.',
    productsByTableRequests,
  ],
  resolution: [
    'See [the quotas of DynamoDB](quotas.md) and what to change for [a hot contract](scale.md#hot-contract) or [a hot contract list](scale.md#hot-contract-list).',
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

const loginThreshold = 10

/** The logins, and what they need: the calls to KMS, and the key sets of logins (D137, D138). */
export const loginFailures: AlarmRow = {
  name: 'login-failures',
  urgency: 'at once',
  description:
    'Players get no player tokens, or soon none; those they have stay valid. The value counts failed calls to KMS and for key sets of logins, and 10 more if every login from three networks fails: with 5xx, or with 401 for the key, issuer or audience.',
  threshold: loginThreshold,
  unit: 'failures',
  periods: 1,
  window: '30 minutes',
  firstSteps: [
    failuresByReason,
    rejectionsByReason('Find out why logins are refused:'),
    'The key must be Enabled: `aws kms describe-key --key-id alias/$STACK/player-token --query KeyMetadata.KeyState`',
  ],
  resolution: [
    '`key set of the login: …`: [a login whose keys cannot be read](runbook.md#a-login-whose-keys-cannot-be-read).',
    'Every login fails with a status from 500: its reason is that of the failures. Each of them counts as a network of its own.',
    '`invalid_user_token` of all players: [rejected-credentials](#rejected-credentials) says what to do, and [the reasons of a 401](runbook.md#the-reasons-of-a-401) what each `reason` means. Strangers who send user JWTs from several networks while nobody logs in look the same.',
    'AccessDeniedException or DisabledException: somebody has changed the keys. Undo the change. To keep a key that is scheduled for deletion, use `aws kms cancel-key-deletion`.',
    'ThrottlingException: raise [the quota of KMS](quotas.md).',
    'Otherwise, see the health page of KMS and wait.',
  ],
  metrics: (resources) => {
    const networks = Object.fromEntries(
      loginNetworks.map((name, index) => [
        `network${index}`,
        loggedMetric(name, resources, longPeriod, Stats.MINIMUM),
      ]),
    )
    const counted = {
      kms: loggedMetric('kmsFailures', resources, longPeriod),
      keysets: loggedMetric('keySetFailures', resources, longPeriod),
    }
    // A network adds 1 if all its logins fail. Three of them are three requests too.
    const logins = { lowest: networks, failed: networks }
    return single(failures(counted, logins, loginThreshold, 'failures of logins'))
  },
}
