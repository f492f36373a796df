import { localSettingTable } from '@player-nfts/local/settings'
import { usualQuota } from '../infra/api/stage-throttles.ts'
import { type Throttle, throttlesWithin } from '../infra/api/throttles.ts'
import { deploymentSettingTable } from '../infra/settings/deployment-setting-table.ts'
import { deploymentSettings } from '../infra/settings/settings.ts'
import { stageDefaults } from '../infra/settings/stages.ts'
import { functionTimeoutSeconds } from '../lib/domain/time-budget.ts'
import type { Setting } from '../lib/settings/setting.ts'
import { functionSettings } from '../lib/settings/setting-table.ts'
import { table } from '../openapi/reference/markdown.ts'

/** docs/settings.md: the settings of `npm start`, of a deployment and of the functions, with their defaults. */
export const settingsPage = (): string => `# Settings

- [npm start](#npm-start): for developers who run the service on their machine
- [A deployment](#a-deployment): for operators
- [The functions](#the-functions): for contributors, and for operators who read the configuration of a function

\`npm run generate\` writes this page from the tables of settings in [local](../local/settings.ts), [infra](../infra) and
[lib/settings](../lib/settings).

## npm start

\`npm start\` reads these environment variables. An empty variable counts as not set. An invalid variable ends
the command with one line that names the variable. The indexer, the services of AWS and the login are part of \`npm start\`
unless a variable selects [another service](local-aws.md#an-aws-account-or-another-indexer).

${ofNpmStart()}

With \`AWS_ENDPOINT_URL\`, credentials come from the usual variables of AWS, such as \`AWS_PROFILE\` or
\`AWS_ACCESS_KEY_ID\`.

With \`USER_JWT_PUBLIC_KEYS\`, \`USER_JWT_JWKS_URL\` or \`LOGINS\`, only the user JWTs of your login are accepted, so there is no
sample game. A JWK set on your machine can have an \`http\` URL:
[connect your platform](connect-your-platform.md#try-it-on-your-machine) shows it.

\`npm run --silent user-token\` reads \`DATA_DIR\` to find the running stack. To sign with a KMS key elsewhere,
set \`USER_JWT_KEY\` to the key, \`ISSUER\`, \`USER_JWT_AUDIENCE\` and the variables of the claims to the values of the
service, and the usual variables of AWS. \`--expires-in\` takes seconds, which may be negative. Without it a user JWT expires
after an hour.

## A deployment

The settings of a deployment are a JSON file: [the first deploy](first-day.md) shows one.
\`cdk synth\` and \`cdk deploy\` end with a list of all faults if the file is invalid, if a resource in it is in a Region or
an account in which AWS does not accept it, or if its template exceeds a quota. A setting that the file does not contain has
the default of its stage.

With the protection \`prod\`, one of \`loginRoleArn\`, \`loginPublicKeys\`, \`loginJwksUrl\`, \`logins\` and \`walletSignIn\` is required, and one of
\`alarmEmail\`, \`alarmTopicArn\` and \`alarmUrl\`. Without \`indexerUrl\`, the indexer is Alchemy. The default limits of
indexer calls follow from the plan: a product can use a quarter of it, and its games without an API key a half of that.

${ofDeployment()}

### Throttles

API Gateway accepts so many requests of all callers together, with the default settings in a Region whose quota is 10,000
requests a second. [Operations](operations.md#throttles) says from which settings the numbers follow.

${throttlesTable()}

In a new account, the open routes together can use all ten executions, so that a caller without an API key delays all
others. Request [more executions](quotas.md) before you open the service to the public.

## The functions

The functions read these environment variables. Each function has only the variables that it needs. A
deployment sets a variable from the setting in the second column; it sets the others from its resources, and
Lambda sets the region and the credentials. It sets neither \`KEPT_FROM_READS\` nor \`OWNERS_LAG_SECONDS\`. \`npm start\` can set all of them. A function that verifies user JWTs has one of
\`USER_JWT_KEY_ARNS\`, \`USER_JWT_PUBLIC_KEYS\` and \`USER_JWT_JWKS_URL\`, or \`LOGINS\`, with or without \`USER_JWT_KEY_ARNS\`. Only [part.ts](../lib/settings/part.ts) reads the
variables.

${ofFunctions()}
`

const ofNpmStart = (): string =>
  table(
    ['variable', 'default', 'meaning'],
    Object.entries<Setting>(localSettingTable).map(([name, row]) => [
      `\`${name}\``,
      defaultOf(row, row.default, String),
      meaningOf(row),
    ]),
  )

const ofDeployment = (): string =>
  table(
    ['setting', 'meaning', 'dev', 'prod'],
    Object.entries<Setting>(deploymentSettingTable).map(([name, row]) => {
      const inDev = defaultOf(row, defaultsInDev[name], json)
      const inProd = defaultOf(row, defaultInProd(name, row), json)
      const isSame = inDev === inProd && inDev.startsWith('`')
      return [`\`${name}\``, meaningOf(row), inDev, isSame ? 'the same' : inProd]
    }),
  )

const ofFunctions = (): string =>
  table(
    ['variable', 'setting of a deployment', 'default', 'meaning'],
    Object.entries<Setting>(functionSettings).map(([name, row]) => [
      `\`${name}\``,
      row.inDeployment ? `\`${row.inDeployment}\`` : '',
      defaultOf(row, row.default, String),
      meaningOf(row),
    ]),
  )

/** The defaults in the stage `dev`, with those that the functions apply themselves. */
const defaultsInDev: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    Object.values<Setting>(functionSettings).map((row) => [row.inDeployment, row.default]),
  ),
  ...deploymentSettings({}),
}

/** The default in the stage `prod`: its own, or else the default of both stages. */
const defaultInProd = (name: string, row: Setting): unknown =>
  stageDefaults.prod[name] ?? (name in stageDefaults.dev ? row.default : defaultsInDev[name])

const meaningOf = ({ meaning }: Setting): string =>
  meaning.replaceAll(/\bD(\d+)\b/g, '[D$1](decisions.md#d$1)')

const defaultOf = (
  { optional }: Setting,
  value: unknown,
  textOf: (value: unknown) => string,
): string => {
  if (value !== undefined) return `\`${textOf(value)}\``
  return optional ? 'none' : 'required'
}

const json = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value).replaceAll('","', '", "')

/** Accounts, by the heading of their column. */
const accounts = {
  '`prod`, 1,000 executions': { accountConcurrency: 1_000, reservedConcurrency: {} },
  '`dev`, 1,000 executions': { accountConcurrency: 1_000, reservedConcurrency: 'none' },
  'a new account, 10 executions': { accountConcurrency: 10, reservedConcurrency: 'none' },
} as const

/** The throttles of the routes in accounts of different sizes. */
function throttlesTable(): string {
  const columns = Object.values(accounts).map((account) =>
    throttlesWithin({ ...account, slowestOpenCallSeconds: functionTimeoutSeconds }, usualQuota),
  )
  const keys = new Set(columns.flatMap(({ routes }) => Object.keys(routes)))
  const rows = [...keys].map((key) => [
    `\`${key}\``,
    ...columns.map(({ routes, others }) => textOf(routes[key] ?? others)),
  ])
  const others = ['each other route', ...columns.map((each) => textOf(each.others))]
  return table(['route', ...Object.keys(accounts)], [...rows, others])
}

const textOf = ({ burstLimit, rateLimit }: Throttle): string =>
  `${burstLimit.toLocaleString('en')} at once, ${rateLimit.toLocaleString('en')} a second`
