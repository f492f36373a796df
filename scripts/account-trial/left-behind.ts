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
import { bootstrapStack, stacksOf } from './stage.ts'
import { taggedWith } from './tagged.ts'

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
}

type Where = Pick<Place, 'aws'>

/** Finds what is named after the stage, or has its tag. */
export async function leftBehind(place: Where, stage: string): Promise<LeftBehind> {
  const { service } = stacksOf(stage)
  const { pendingKeys, livingKeys } = await keysOf(place, service)
  const removable = [
    ...livingKeys,
    ...(await tablesOf(place, service)),
    ...(await secretsOf(place, stage)),
    ...(await functionsOf(place, service)),
    ...(await logGroupsOf(place, service)),
    ...(await bucketsOf(place, service)).map((name) => ({
      name: `the bucket ${name}`,
      remove: () => deleteBucket(place, name),
    })),
  ]
  const stacks = await stacksThere(place, stage)
  const tagged = await taggedWith(place, stage)
  return {
    pendingKeys,
    hasBootstrapStack: (await statusOf(place, bootstrapStack)) !== undefined,
    removable,
    others: [...stacks, ...removable.map(({ name }) => name), ...tagged],
  }
}

async function stacksThere(place: Where, stage: string): Promise<string[]> {
  const names = Object.values(stacksOf(stage))
  const statuses = await Promise.all(names.map((name) => statusOf(place, name)))
  return names.filter((_, index) => statuses[index]).map((name) => `the stack ${name}`)
}

/** The keys of a stack, by the beginning of their descriptions. */
async function keysOf({ aws }: Where, stackName: string) {
  const client = new KMSClient(aws)
  const found: KeyMetadata[] = []
  for await (const { Keys = [] } of paginateListKeys({ client }, {})) {
    const described = await Promise.all(
      Keys.map(({ KeyId }) => client.send(new DescribeKeyCommand({ KeyId }))),
    )
    found.push(...described.flatMap(({ KeyMetadata }) => KeyMetadata ?? []))
  }
  const own = found.filter(({ Description }) => Description?.startsWith(`${stackName}: `))
  const nameOf = ({ Description = '' }: KeyMetadata) => Description.slice(stackName.length + 2)
  const pending = own.filter(({ KeyState }) => KeyState === 'PendingDeletion')
  return {
    pendingKeys: pending
      .map((key) => `${nameOf(key)}, deleted on ${key.DeletionDate?.toISOString().slice(0, 10)}`)
      .sort(),
    livingKeys: own
      .filter((key) => !pending.includes(key))
      .map((key) => ({
        name: `the key ${nameOf(key)}`,
        remove: () =>
          client.send(new ScheduleKeyDeletionCommand({ ...shortest, KeyId: key.KeyId })),
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
