import { Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { AlarmRow } from './alarm-row.ts'
import { loggedMetric, period, single, sum } from './metrics.ts'
import { failuresByReason, productsByTableRequests } from './shared-steps.ts'

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

/** What a login needs: the calls to KMS, and the key sets of logins (D137). */
export const loginFailures: AlarmRow = {
  name: 'login-failures',
  urgency: 'at once',
  description:
    'Calls to KMS failed after all retries, or the key set of a login could not be read, so that players get no new player tokens, or will get none when the keys that are known are an hour old. The value is the number of failed calls, of all operations. Existing player tokens stay valid.',
  threshold: 5,
  unit: 'failures',
  periods: 2,
  firstSteps: [
    failuresByReason,
    'Read the state of the key, which must be Enabled: `aws kms describe-key --key-id alias/$STACK/player-token --query KeyMetadata.KeyState`',
  ],
  resolution: [
    '`key set of the login: …`: [a login whose keys cannot be read](runbook.md#a-login-whose-keys-cannot-be-read).',
    'AccessDeniedException or DisabledException: somebody has changed the keys. Undo the change. To keep a key that is scheduled for deletion, use `aws kms cancel-key-deletion`.',
    'ThrottlingException: raise [the quota of KMS](quotas.md).',
    'Otherwise, see the health page of KMS and wait.',
  ],
  metrics: (resources) =>
    single(
      sum(
        ['kmsFailures', 'keySetFailures'].map((name) => loggedMetric(name, resources)),
        'failed calls to KMS and for key sets',
      ),
    ),
}
