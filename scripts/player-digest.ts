import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { helpIfAsked } from '@player-nfts/local/help'
import { queryText } from '../infra/monitoring/logs-insights.ts'
import { playerQuery } from '../infra/monitoring/subject-queries.ts'
import { playerDigests } from '../lib/observability/player-digest.ts'
import {
  deployedAccess,
  localStack,
  runForOperator,
  stackHelp,
  userIdArgument,
} from './operator-table.ts'

const usage = 'Usage: npm run --silent player-digest -- --user-id ID [--secret ARN]'

helpIfAsked([
  usage,
  '',
  'Prints the digest that names a player in log lines, and how to find these lines.',
  '',
  '  --user-id     the user id of the player, a whole number',
  '',
  'Uses the key of the running local stack, or with --secret that of a deployment:',
  '',
  '  --secret      the ARN of the secret, which is the output PlayerDigestSecretArn of the stack',
  '',
  ...stackHelp,
  '  AWS_REGION    with --secret, the Region of the deployment; also AWS_DEFAULT_REGION',
  '  AWS_PROFILE   with --secret, and the other usual variables of AWS, the credentials',
])

/** `npm run player-digest` (D72). */
await runForOperator(async () => {
  const { values } = parseArgs({
    options: { 'user-id': { type: 'string' }, secret: { type: 'string' } },
  })
  const userId = userIdArgument(values['user-id'], usage)
  const { secret } = values
  const dataDir = process.env['DATA_DIR'] || '.local'
  const { env } = process
  const key = await (secret === undefined ? localKey(env) : deployedKey(secret, env))
  const digest = playerDigests(key)(userId)
  const lines = secret === undefined ? localLines(dataDir, digest) : deployedLines(digest)
  return [digest, '', ...lines].join('\n')
})

async function localKey(env: NodeJS.ProcessEnv): Promise<string> {
  const stack = await localStack(env, 'name the secret of a deployment with --secret')
  return `${stack.variables?.['PLAYER_DIGEST_KEY']}`
}

async function deployedKey(secret: string, env: NodeJS.ProcessEnv): Promise<string> {
  const access = await deployedAccess(env)
  const { region } = access
  const client = new SecretsManagerClient(access)
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secret }))
    if (SecretString) return SecretString
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException
    const isMissing = name === 'ResourceNotFoundException'
    throw new Error(
      isMissing
        ? `There is no such secret: ${secret} in ${region}.`
        : `The secret ${secret} in ${region} cannot be read (${code ?? name}).`,
    )
  } finally {
    client.destroy()
  }
  throw new Error(`The secret ${secret} in ${region} has no text.`)
}

function localLines(dataDir: string, digest: string): string[] {
  const search = `grep '"player":"${digest}"' ${join(dataDir, 'service.log')}`
  return ['Find the lines of this player in the log of the local stack:', '', search]
}

function deployedLines(digest: string): string[] {
  return [
    'Find the lines of this player in CloudWatch Logs Insights, with this query. The saved query',
    '<stack>/player/requests selects the log groups, and <stack>/player/outcomes says since when.',
    '',
    queryText(playerQuery(digest)),
  ]
}
