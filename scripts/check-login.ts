import { parseArgs } from 'node:util'
import { helpIfAsked } from '@player-nfts/local/help'
import { variablesOf } from '../infra/settings/settings.ts'
import { readDeploymentSettings } from '../infra/settings/settings-file.ts'
import { functionSettings, type VariableName } from '../lib/settings/setting-table.ts'
import { checkLogin } from './check-login/check-login.ts'
import { localStack, stackHelp } from './operator-table.ts'

const usage = 'Usage: npm run --silent check-login -- JWT [--settings FILE]'

helpIfAsked([
  usage,
  '',
  'Says which login a user JWT meets, which rule it breaks, and which claims it has: their names and',
  'shapes, never a value. Stores nothing. Ends with exit code 1 if the JWT is not accepted.',
  '',
  '  --settings  the settings file of a deployment, in place of the settings of the running local stack',
  '',
  ...stackHelp,
])

/** `npm run check-login`: explains a user JWT (D90, D92). */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { settings: { type: 'string' } },
  })
  const [jwt, ...others] = positionals
  if (jwt === undefined || others.length > 0) throw new Error(usage)
  const variables = values.settings
    ? deploymentVariables(values.settings)
    : await runningVariables()
  // Another login that this shell names is none of those.
  for (const name of Object.keys(functionSettings)) delete process.env[name]
  Object.assign(process.env, variables)
  const { lines, isAccepted } = await checkLogin(jwt)
  console.log(lines.join('\n'))
  if (!isAccepted) process.exitCode = 1
}

/** The variables of the functions that read user JWTs. */
const names: readonly VariableName[] = [
  ...(['ISSUER', 'USER_JWT_AUDIENCE', 'PLAYER_TOKEN_ISSUERS', 'PLAYER_TOKEN_AUDIENCE'] as const),
  ...(['LOGINS', 'USER_JWT_PUBLIC_KEYS', 'USER_JWT_ALGORITHM', 'USER_JWT_JWKS_URL'] as const),
  ...(['USER_JWT_ALGORITHMS', 'USER_ID_CLAIM', 'USERNAME_CLAIM', 'WALLETS_CLAIM'] as const),
  ...(['WALLET_CHAINS', 'USER_IDS', 'USER_JWT_MAX_LIFETIME_SECONDS'] as const),
]

function deploymentVariables(file: string): Record<string, string> {
  const settings = readDeploymentSettings(file)
  if (!settings.logins && !settings.loginJwksUrl && !settings.loginPublicKeys) {
    throw new Error(`${file} has no login with keys of its own, whose JWTs this could verify.`)
  }
  return variablesOf(settings, ...names)
}

async function runningVariables(): Promise<Record<string, string>> {
  const stack = await localStack(process.env, 'use --settings')
  const { credentials, region } = stack.userJwtKey
  return {
    ...stack.variables,
    AWS_REGION: region,
    ...(credentials && {
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    }),
  }
}

try {
  await main()
} catch (error) {
  const { message, name } = error as Error
  console.error(message || name)
  process.exitCode = 1
}
