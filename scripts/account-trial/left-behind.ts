import {
  CloudWatchLogsClient,
  DeleteLogGroupCommand,
  paginateDescribeLogGroups,
} from '@aws-sdk/client-cloudwatch-logs'
import {
  DeleteTableCommand,
  DynamoDBClient,
  paginateListTables,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb'
import {
  DescribeKeyCommand,
  type KeyMetadata,
  KMSClient,
  paginateListKeys,
  ScheduleKeyDeletionCommand,
} from '@aws-sdk/client-kms'
import { DeleteFunctionCommand, LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda'
import {
  DeleteSecretCommand,
  paginateListSecrets,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import type { Place } from '../../test/deployed/place.ts'
import { statusOf } from './account-place.ts'
import { bucketsOf, deleteBucket } from './buckets.ts'
import { isDenied, newQuestions, type Unlisted } from './questions.ts'
import { bootstrapStack, stacksOf } from './stage.ts'
import { regionsOfTags, taggedWith } from './tagged.ts'

/** Something that is named after a trial and that nobody else removes. */
interface Removable {
  /** For the report: `the table PlayerNfts-trial-a1b2c3-restored`. */
  readonly name: string
  remove(): Promise<unknown>
}

/** What is in a place of a trial. */
export interface LeftBehind {
  /** The keys that KMS will delete, with the day. Nothing deletes a key at once. */
  readonly pendingKeys: readonly string[]
  readonly hasBootstrapStack: boolean
  readonly removable: readonly Removable[]
  /** The names of everything else, which includes what is removable. */
  readonly others: readonly string[]
  /** What the account does not list, so that nobody knows whether it remains. */
  readonly unlisted: readonly Unlisted[]
}

/** What should not remain, and what nobody knows, each as a line. */
export const faultsOf = ({ others, unlisted }: LeftBehind): string[] => [
  ...others.map((name) => `Not removed: ${name}`),
  ...unlisted.map(({ what, reason }) => `Could not be listed: ${what} (${reason})`),
]

type Where = Pick<Place, 'aws'>

/** Finds what is named after the stage, or has its tag. Never rejects: says what the account does not list. */
export async function leftBehind(place: Where, stage: string): Promise<LeftBehind> {
  const { service } = stacksOf(stage)
  const { unlisted, list } = newQuestions()
  const there = async (stack: string) => ((await statusOf(place, stack)) ? [stack] : [])
  const stacks: string[] = []
  for (const name of Object.values(stacksOf(stage))) {
    stacks.push(...(await list(`the stack ${name}`, there(name))))
  }
  const { pendingKeys, livingKeys } = keysIn(place, await list('the keys', keysOf(place, service)))
  const removable = [
    ...livingKeys,
    ...(await list('the tables', tablesOf(place, service))),
    ...(await list('the secrets', secretsOf(place, stage))),
    ...(await list('the functions', functionsOf(place, service))),
    ...(await list('the log groups', logGroupsOf(place, service))),
    ...(await list('the buckets', bucketsOf(place, service))).map((name) => ({
      name: `the bucket ${name}`,
      remove: () => deleteBucket(place, name),
    })),
  ]
  const tagged: string[] = []
  for (const region of regionsOfTags(place)) {
    const what = `what has the tag of the stage in ${region}`
    tagged.push(...(await list(what, taggedWith(place, region, stage))))
  }
  const bootstrap = await list(`the stack ${bootstrapStack}`, there(bootstrapStack))
  return {
    ...{ pendingKeys, removable, unlisted, hasBootstrapStack: bootstrap.length > 0 },
    others: [
      ...stacks.map((name) => `the stack ${name}`),
      ...removable.map(({ name }) => name),
      ...new Set(tagged),
    ],
  }
}

/** A key of a trial, with the part of its description that names it. */
interface NamedKey extends KeyMetadata {
  readonly name: string
}

/** The keys of a stack, by the beginning of their descriptions. */
async function keysOf({ aws }: Where, stackName: string): Promise<NamedKey[]> {
  const client = new KMSClient(aws)
  const beginning = `${stackName}: `
  const found: NamedKey[] = []
  for await (const { Keys = [] } of paginateListKeys({ client }, {})) {
    const described = await Promise.all(Keys.map(({ KeyId }) => describeKey(client, KeyId)))
    for (const key of described) {
      if (!key?.Description?.startsWith(beginning)) continue
      found.push({ ...key, name: key.Description.slice(beginning.length) })
    }
  }
  return found
}

/** What KMS says about a key, or undefined if the policy of the key does not let this caller ask: it is not of a trial. */
async function describeKey(client: KMSClient, KeyId?: string): Promise<KeyMetadata | undefined> {
  try {
    return (await client.send(new DescribeKeyCommand({ KeyId }))).KeyMetadata
  } catch (error) {
    if (isDenied(error)) return undefined
    throw error
  }
}

/** The keys that KMS will delete, and those that it has to be asked to delete. */
function keysIn({ aws }: Where, keys: readonly NamedKey[]) {
  const client = new KMSClient(aws)
  const pending = keys.filter(({ KeyState }) => KeyState === 'PendingDeletion')
  return {
    pendingKeys: pending
      .map((key) => `${key.name}, deleted on ${key.DeletionDate?.toISOString().slice(0, 10)}`)
      .sort(),
    livingKeys: keys
      .filter((key) => !pending.includes(key))
      .map(({ KeyId, name }) => ({
        name: `the key ${name}`,
        remove: () => client.send(new ScheduleKeyDeletionCommand({ ...shortest, KeyId })),
      })),
  }
}

/** The shortest time that KMS waits. */
const shortest = { PendingWindowInDays: 7 }

async function tablesOf({ aws }: Where, stackName: string): Promise<Removable[]> {
  const client = new DynamoDBClient(aws)
  const names: string[] = []
  for await (const { TableNames = [] } of paginateListTables({ client }, {})) {
    names.push(...TableNames.filter((name) => name.startsWith(`${stackName}-`)))
  }
  return names.map((TableName) => ({
    name: `the table ${TableName}`,
    async remove() {
      const unprotected = { TableName, DeletionProtectionEnabled: false }
      // A table without protection needs no change.
      await client.send(new UpdateTableCommand(unprotected)).catch(() => undefined)
      await client.send(new DeleteTableCommand({ TableName }))
    },
  }))
}

async function secretsOf({ aws }: Where, stage: string): Promise<Removable[]> {
  const client = new SecretsManagerClient(aws)
  const found: Removable[] = []
  for await (const { SecretList = [] } of paginateListSecrets({ client }, {})) {
    for (const { ARN, Description, Tags = [] } of SecretList) {
      if (!Tags.some(({ Key, Value }) => Key === 'stage' && Value === stage)) continue
      const deletion = { SecretId: ARN, ForceDeleteWithoutRecovery: true }
      found.push({
        name: `the secret "${Description}"`,
        remove: () => client.send(new DeleteSecretCommand(deletion)),
      })
    }
  }
  return found
}

async function functionsOf({ aws }: Where, stackName: string): Promise<Removable[]> {
  const client = new LambdaClient(aws)
  const names: string[] = []
  for await (const { Functions = [] } of paginateListFunctions({ client }, {})) {
    names.push(...Functions.flatMap(({ FunctionName = '' }) => FunctionName))
  }
  return names
    .filter((name) => name.startsWith(`${stackName}-`))
    .map((FunctionName) => ({
      name: `the function ${FunctionName}`,
      remove: () => client.send(new DeleteFunctionCommand({ FunctionName })),
    }))
}

async function logGroupsOf({ aws }: Where, stackName: string): Promise<Removable[]> {
  const client = new CloudWatchLogsClient(aws)
  const pages = paginateDescribeLogGroups({ client }, { logGroupNamePattern: stackName })
  const found: Removable[] = []
  for await (const { logGroups = [] } of pages) {
    for (const { logGroupName = '' } of logGroups) {
      if (!logGroupName.includes(`${stackName}-`)) continue
      found.push({
        name: `the log group ${logGroupName}`,
        remove: () => client.send(new DeleteLogGroupCommand({ logGroupName })),
      })
    }
  }
  return found
}
