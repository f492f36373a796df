import { type AwsAccess, accessElsewhere } from '@player-nfts/local/aws/aws-access'
import { settingLines } from '@player-nfts/local/help'
import { type RunningStack, runningStack } from '@player-nfts/local/running-stack'
import { localSettingTable } from '@player-nfts/local/settings'
import { openTable, type Table } from '../lib/adapters/dynamodb/table.ts'
import { Unavailable } from '../lib/domain/failures.ts'
import { parseUserId } from '../lib/domain/player/player.ts'
import type { VariableName } from '../lib/settings/setting-table.ts'

/** The lines of a command's help about the local stack that it finds by itself. */
export const stackHelp: readonly string[] = [
  'Environment variables, with their defaults:',
  '',
  ...settingLines({ DATA_DIR: localSettingTable.DATA_DIR }),
]

/** The lines of a command's help that say which service it changes. */
export const tableHelp: readonly string[] = [
  'Changes the running local stack, or with --table a deployment:',
  '',
  '  --table       the name of the table, which is the output TableName of the stack',
  '',
  ...stackHelp,
  '  AWS_REGION    with --table, the Region of the deployment; also AWS_DEFAULT_REGION',
  '  AWS_PROFILE   with --table, and the other usual variables of AWS, the credentials',
]

/** Opens the table of this name in AWS, or that of the running local stack. `place` says where it is. Throws an Error of one line. */
export async function openOperatorTable(tableName: string | undefined, env: NodeJS.ProcessEnv) {
  if (tableName !== undefined) {
    const access = await deployedAccess(env)
    const place = `the table ${tableName} in ${access.region}`
    return { table: openWith(access, tableName), place }
  }
  const stack = await localStack(env, 'name the table of a deployment with --table')
  const { credentials, endpoint = 'aws', region } = stack.userJwtKey
  const access = credentials
    ? { credentials, endpoint, region }
    : await accessElsewhere(endpoint, region)
  const { TABLE_NAME = '' } = stack.variables ?? {}
  return { table: openWith(access, TABLE_NAME), place: `the local stack at ${stack.url}` }
}

const anyOf = new Intl.ListFormat('en', { type: 'disjunction' })

/** Returns the running local stack. Throws an Error with a message of one line, which says what to do, also `otherwise`. */
export async function localStack(
  env: NodeJS.ProcessEnv,
  ...otherwise: readonly string[]
): Promise<RunningStack> {
  const dataDir = env['DATA_DIR'] || '.local'
  const stack = await runningStack(dataDir)
  if (stack) return stack
  const ways = ['start one with npm start', 'set DATA_DIR to the folder of one', ...otherwise]
  throw new Error(`No local stack runs on ${dataDir}: ${anyOf.format(ways)}.`)
}

/** Access to a deployment, with the credentials of this shell. Throws an Error with a message of one line. */
export async function deployedAccess(env: NodeJS.ProcessEnv): Promise<AwsAccess> {
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION']
  if (!region) throw new Error('Set AWS_REGION to the Region of the deployment.')
  return await accessElsewhere(env['AWS_ENDPOINT_URL'] || 'aws', region)
}

/** Opens a table as the functions do, with their environment variables. */
function openWith({ region, endpoint, credentials }: AwsAccess, tableName: string): Table {
  const variables: Partial<Record<VariableName, string>> = {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken ?? '',
    AWS_ENDPOINT_URL: endpoint ?? '',
    TABLE_NAME: tableName,
    // An operator can change the table while the functions do not use it (D44).
    MAINTENANCE: '',
  }
  Object.assign(process.env, variables)
  return openTable()
}

/** Replaces the error of a table that does not exist or cannot be reached by one that names it. */
export const namingTable =
  (place: string) =>
  (error: unknown): never => {
    if (!(error instanceof Unavailable)) throw error
    const isMissing = /ResourceNotFound/.test(error.reason)
    throw new Error(
      isMissing
        ? `There is no such table: ${place}.`
        : `There is no answer from ${place} (${error.reason}).`,
    )
  }

/** Runs a command of an operator: prints its result, or the first line of its error with exit code 1. */
export async function runForOperator(command: () => Promise<string>): Promise<void> {
  try {
    console.log(await command())
  } catch (error) {
    const { message, name, reason } = error as Error & { reason?: string }
    console.error((reason ?? message).split('\n')[0] || name)
    process.exitCode = 1
  }
}

/** Reads the argument `--user-id`. Throws an Error with a message of one line: `usage` if there is no argument. */
export function userIdArgument(argument: string | undefined, usage: string): number {
  const text = argument?.trim()
  if (!text) throw new Error(usage)
  const userId = parseUserId(text)
  if (userId === undefined) throw new Error('--user-id must be a whole number from 0 to 2^53-1.')
  return userId
}
