import { randomInt } from 'node:crypto'
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import {
  CloudWatchLogsClient,
  DeleteLogGroupCommand,
  paginateDescribeLogGroups,
} from '@aws-sdk/client-cloudwatch-logs'
import { DeleteTableCommand, DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb'
import {
  DescribeKeyCommand,
  type KeyMetadata,
  KMSClient,
  paginateListKeys,
  ScheduleKeyDeletionCommand,
} from '@aws-sdk/client-kms'
import type { Place } from '../place.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
const randomLetters = 6

/** A name that no other trial has: `trial-` and six random characters. */
export const newStage = (): string =>
  `trial-${Array.from({ length: randomLetters }, () => letters[randomInt(letters.length)]).join('')}`

/** Whether a text is the stage of a trial. Only what has such a name is ever removed. */
export const isTrialStage = (text: string): boolean => /^trial-[a-z0-9]{6}$/.test(text)

/** The names of the two stacks of a stage: the service and the sample indexer. */
export const stacksOf = (stage: string) =>
  ({ service: `PlayerNfts-${stage}`, indexer: `PlayerNfts-${stage}-indexer` }) as const

/** The stack with which `cdk bootstrap` prepares an account. */
export const bootstrapStack = 'CDKToolkit'

/** The status of a stack, or undefined if there is none of this name. */
export async function statusOf(
  { aws }: Pick<Place, 'aws'>,
  StackName: string,
): Promise<string | undefined> {
  try {
    const client = new CloudFormationClient(aws)
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }))
    const status = Stacks[0]?.StackStatus
    // Emulators return a removed stack also by its name.
    return status === 'DELETE_COMPLETE' ? undefined : status
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return undefined
    throw error
  }
}

/** Something that is named after a trial. */
export interface Leftover {
  /** `the table PlayerNfts-trial-a1b2c3-restored`. */
  readonly name: string
  /** Missing if nothing but the deletion of its stack removes it, and for what stays. */
  remove?(): Promise<unknown>
  /** Whether it stays by design: a key that KMS will delete. Nothing deletes a key at once. */
  readonly stays?: boolean
}

type Where = Pick<Place, 'aws'>

/** The stacks, and what they leave: what is asked for, and who finds it. All else ends with its stack. */
export const finders: Readonly<
  Record<string, (place: Where, stage: string) => Promise<Leftover[]>>
> = {
  async stacks(place, stage) {
    const statuses = Object.values(stacksOf(stage)).map(async (name) => ({
      name: `the stack ${name}`,
      status: await statusOf(place, name),
    }))
    return (await Promise.all(statuses)).filter(({ status }) => status !== undefined)
  },
  async keys({ aws }, stage) {
    const client = new KMSClient(aws)
    // The description of a key begins with the name of its stack.
    const beginning = `${stacksOf(stage).service}: `
    const found: Leftover[] = []
    for await (const { Keys = [] } of paginateListKeys({ client }, {})) {
      for (const { KeyId } of Keys) {
        const { Description = '', KeyState, DeletionDate } = await describedKey(client, KeyId)
        if (!Description.startsWith(beginning)) continue
        const name = `the key ${Description.slice(beginning.length)}`
        // The shortest time that KMS waits.
        const deletion = new ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays: 7 })
        found.push(
          KeyState === 'PendingDeletion'
            ? {
                name: `${name}, deleted on ${DeletionDate?.toISOString().slice(0, 10)}`,
                stays: true,
              }
            : { name, remove: () => client.send(deletion) },
        )
      }
    }
    return found
  },
  async tables({ aws }, stage) {
    const client = new DynamoDBClient(aws)
    const names: string[] = []
    for await (const { TableNames = [] } of paginateListTables({ client }, {})) {
      names.push(...TableNames.filter((name) => name.startsWith(`${stacksOf(stage).service}-`)))
    }
    return names.map((TableName) => ({
      name: `the table ${TableName}`,
      remove: () => client.send(new DeleteTableCommand({ TableName })),
    }))
  },
  async 'log groups'({ aws }, stage) {
    const client = new CloudWatchLogsClient(aws)
    const { service } = stacksOf(stage)
    const pages = paginateDescribeLogGroups({ client }, { logGroupNamePattern: service })
    const found: Leftover[] = []
    for await (const { logGroups = [] } of pages) {
      for (const { logGroupName = '' } of logGroups) {
        if (!logGroupName.includes(`${service}-`)) continue
        const deletion = new DeleteLogGroupCommand({ logGroupName })
        found.push({ name: `the log group ${logGroupName}`, remove: () => client.send(deletion) })
      }
    }
    return found
  },
}

/** Whether AWS has answered that a permission is missing. */
export const isDenied = (error: unknown): boolean => /^AccessDenied/.test((error as Error).name)

/** What KMS says about a key, which is nothing if its policy does not let this caller ask: it is not of a trial. */
async function describedKey(
  client: KMSClient,
  KeyId: string | undefined,
): Promise<Partial<KeyMetadata>> {
  try {
    return (await client.send(new DescribeKeyCommand({ KeyId }))).KeyMetadata ?? {}
  } catch (error) {
    if (isDenied(error)) return {}
    throw error
  }
}
