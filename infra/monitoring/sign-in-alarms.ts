import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch'
import type { Settings } from '../settings/settings.ts'
import { type AlarmRow, rollBackAfterUpdate } from './alarm-row.ts'
import { grouped, groupedAccess, type Step, step } from './logs-insights.ts'
import {
  allFailures,
  functionMetric,
  kindOf,
  leastOfKind,
  loggedMetric,
  longPeriod,
} from './metrics.ts'
import { failuresByReason } from './shared-steps.ts'

// The alarms of sign-in with wallets (D113), which strangers can call without a credential.

/** The sign-ins that fail because of the service, while none succeeds (D149). */
export const allSignInsFail: AlarmRow = {
  name: 'all-sign-ins-fail',
  urgency: 'at once',
  description:
    'No sign-in with a wallet succeeds, and at least three requests have ended with a 5xx status. The value is their number, 0 while one succeeds. The requests are those that the limits count: proofs, codes and tokens. Players who have a player token play on, until it expires.',
  threshold: leastOfKind,
  unit: 'responses',
  periods: 1,
  window: '30 minutes',
  firstSteps: [failuresByReason, rollBackAfterUpdate],
  resolution: ['What the reasons mean, and what to do: [server-errors](#server-errors).'],
  isIn: ({ walletSignIn }) => walletSignIn !== undefined,
  metrics: (resources) =>
    allFailures(kindOf('signInFailures', resources), '5xx while no sign-in succeeds'),
}

const byAddress = (path: string, subject?: string): Step =>
  step(
    'Look for a single address, in the access log. Behind CloudFront, `sourceIp` is an address of CloudFront: read the addresses of callers in the sampled requests of the web ACL.',
    { ...(subject && { subject }), name: 'requests-by-address', logs: 'access log' },
    `filter route = "POST /api/public/v1${path}"`,
    groupedAccess('count() as requests', 'sourceIp, status'),
    'sort requests desc',
    'limit 20',
  )

const outcomes = (operation: string): Step =>
  step(
    'Count the outcomes by game, in the log group of the operations:',
    { name: 'outcomes-by-product', logs: 'operations' },
    `filter operation = "${operation}"`,
    grouped('count()', 'productId, status, code'),
  )

const resolution = (limit: string, volume: string) => [
  'A single address: its limits bound what it writes. Block it with a rule of the [web ACL](changes.md#a-web-acl).',
  'A single game: ask its studio whether many players have begun to play. To stop its sign-ins, stop the product: [a noisy product](runbook.md#a-noisy-product).',
  `The service has grown: raise \`${limit}\` before players are refused, and \`volumeAlarms.${volume}\`, and deploy.`,
]

export const signInVolume: AlarmRow = {
  name: 'sign-in-volume',
  urgency: 'the same day',
  description:
    'Many players, or programs, sign in with wallets. The value is the number of requests, rejected requests included. At the limit `sign_ins`, a half of which is kept for wallets that have signed in before, players are refused.',
  threshold: 'signIns',
  unit: 'requests',
  periods: 2,
  firstSteps: [outcomes('signIn'), byAddress('/login')],
  resolution: resolution('signInsPerHour', 'signIns'),
  isIn: ({ walletSignIn }) => walletSignIn !== undefined,
  metrics: ({ functions }) => functionMetric(functions.operation('signIn'), 'Invocations'),
}

export const deviceCodeVolume: AlarmRow = {
  name: 'device-code-volume',
  urgency: 'the same day',
  description:
    'Games ask for many codes with which players sign in on devices. The value is the number of requests, rejected requests included. Each code is an item of the table for some minutes. At the limit `device_codes`, players get no code.',
  threshold: 'deviceCodes',
  unit: 'requests',
  periods: 2,
  firstSteps: [outcomes('authorizeDevice'), byAddress('/device/authorization')],
  resolution: resolution('deviceCodesPerHour', 'deviceCodes'),
  isIn: ({ walletSignIn }) => walletSignIn !== undefined,
  metrics: ({ functions }) => functionMetric(functions.operation('authorizeDevice'), 'Invocations'),
}

const hasSmartAccounts = ({ walletSignIn }: Settings): boolean =>
  walletSignIn?.smartAccounts === true

export const contractCheckVolume: AlarmRow = {
  name: 'contract-check-volume',
  urgency: 'the same day',
  description:
    'Many smart accounts are asked. The value is the number of calls, also of accepted ones. At the limit `contract_checks`, a half of which is for accounts that have signed in before, players with such accounts are refused.',
  threshold: 'contractChecks',
  unit: 'calls',
  periods: 1,
  window: '30 minutes',
  firstSteps: [
    step(
      'Count the calls by game, in the log group of the operations:',
      { name: 'calls-by-product', logs: 'operations' },
      'filter smartAccountsCalls > 0',
      grouped('sum(smartAccountsCalls) as calls', 'operation, productId, code'),
      'sort calls desc',
      'limit 20',
    ),
    byAddress('/login', signInVolume.name),
  ],
  resolution: resolution('contractChecksPerHour', 'contractChecks'),
  isIn: hasSmartAccounts,
  metrics: (resources) => loggedMetric('smartAccountsCalls', resources, longPeriod),
}

const failuresOfAccounts = 20

export const smartAccountFailures: AlarmRow = {
  name: 'smart-account-failures',
  urgency: 'the same day',
  description:
    'Smart accounts could not be asked about signatures. The value is the number of failed calls, and 20 more if all calls fail, at least three. Players with such accounts receive 503 `chain_unavailable`.',
  threshold: failuresOfAccounts,
  unit: 'failures',
  periods: 1,
  window: '30 minutes',
  firstSteps: [
    step(
      'Group the failures by their reason, in the log group of the operations:',
      { name: 'failures-of-accounts', logs: 'operations' },
      'filter smartAccountsFailures > 0',
      grouped('count() as failures', 'operation, code, reason'),
      'sort failures desc',
      'limit 20',
    ),
    byAddress('/login', signInVolume.name),
  ],
  resolution: [
    'HTTP 401, 403, 429 or 5xx, `no connection`: as for [indexer-failures](#indexer-failures).',
    '`timed out` from a single address: somebody asks about contracts that take long. The limits bound it; block the address with a rule of the [web ACL](changes.md#a-web-acl).',
    '`a JSON-RPC error` or `malformed answer`: the node says something that the service does not know. If it goes on, report it to its support with the reason.',
    'To let no smart account sign in meanwhile: [walletSignIn](settings.md#a-deployment) with `"smartAccounts": false`.',
  ],
  isIn: hasSmartAccounts,
  metrics: (resources) => {
    const [failed, calls] = ['FILL(failed, 0)', 'FILL(calls, 0)']
    return new MathExpression({
      expression: `SUM([${failed}, IF(${failed} >= ${leastOfKind} AND ${failed} >= ${calls}, ${failuresOfAccounts}, 0)])`,
      usingMetrics: {
        failed: loggedMetric('smartAccountsFailures', resources, longPeriod),
        calls: loggedMetric('smartAccountsCalls', resources, longPeriod),
      },
      label: 'failures of questions to smart accounts',
      period: longPeriod,
    })
  },
}
