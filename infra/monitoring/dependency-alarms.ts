import { Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { loginNetworks } from '../../lib/observability/metrics.ts'
import type { AlarmRow } from './alarm-row.ts'
import { failures, kindOf, loggedMetric, longPeriod, period, sum } from './metrics.ts'
import { failuresByReason, productsByTableRequests, rejectionsByReason } from './shared-steps.ts'

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
    sum(
      ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) =>
        table.metric(name, { statistic: Stats.SUM, period }),
      ),
      'throttled reads and writes',
    ),
}

const loginThreshold = 10

/** The logins, and the calls to KMS that they need (D138). */
export const loginFailures: AlarmRow = {
  name: 'login-failures',
  urgency: 'at once',
  description:
    'Players get no player tokens, or soon none; those they have stay valid. The value counts failed calls to KMS, and 10 more if every login from three networks fails: with 5xx, or with 401 for the key, issuer or audience.',
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
    '`key set of the login: …`: continue with [key-set-failures](#key-set-failures).',
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
    const counted = { kms: loggedMetric('kmsFailures', resources, longPeriod) }
    // A network adds 1 if all its logins fail. Three of them are three requests too.
    const logins = { lowest: networks, failed: networks }
    return failures(counted, logins, loginThreshold, 'failures of logins')
  },
}

const keySetThreshold = 10

/** The requests for the key sets of logins (D137, D149). */
export const keySetFailures: AlarmRow = {
  name: 'key-set-failures',
  urgency: 'at once',
  description:
    'The keys of a login cannot be read. Functions that know them use them for an hour, then nobody logs in. The value is the number of failed requests for key sets, and 10 more if all fail, at least three. Player tokens stay valid, and servers go on verifying them.',
  threshold: keySetThreshold,
  unit: 'failures',
  periods: 1,
  window: '30 minutes',
  firstSteps: [
    failuresByReason,
    "Call the URL of the key set yourself, as it is in the settings: `curl -w '\\n' -i https://…`",
  ],
  resolution: [
    '[A login whose keys cannot be read](runbook.md#a-login-whose-keys-cannot-be-read) says what each `reason` means.',
    'The login is down: ask its operators. Nothing has to be done here, because functions read the set again within 10 seconds.',
    'The URL has changed: set it, and deploy.',
  ],
  isIn: ({ loginJwksUrl, logins = [] }) =>
    loginJwksUrl !== undefined || logins.some(({ jwksUrl }) => jwksUrl !== undefined),
  metrics: (resources) => {
    const kind = kindOf('keySetFailures', resources)
    return failures(kind.failed, kind, keySetThreshold, 'failed requests for key sets')
  },
}
