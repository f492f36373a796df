import { randomBytes } from 'node:crypto'
import { CloudFormation } from '@aws-sdk/client-cloudformation'
import { CloudWatchLogs, paginateDescribeLogGroups } from '@aws-sdk/client-cloudwatch-logs'
import { DynamoDB, paginateListTables } from '@aws-sdk/client-dynamodb'
import { KMS, paginateListKeys } from '@aws-sdk/client-kms'
import type { Place } from '../../../scripts/deploy-local/place.ts'
import { listed } from '../aws-lists.ts'

/** A name that no other trial has: `trial-` and six random characters. */
export const newStage = (): string => `trial-${randomBytes(3).toString('hex')}`

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
    const { Stacks = [] } = await new CloudFormation(aws).describeStacks({ StackName })
    const status = Stacks[0]?.StackStatus
    // Emulators return a removed stack also by its name.
    return status === 'DELETE_COMPLETE' ? undefined : status
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return undefined
    throw error
  }
}

type Where = Pick<Place, 'aws'>

/** Something that is named after a trial. */
export interface Leftover {
  /** `the table PlayerNfts-trial-a1b2c3-restored`. */
  readonly name: string
  /** Missing if nothing but the deletion of its stack removes it, and for what stays. */
  remove?(): Promise<unknown>
  /** Whether it stays by design: a key that KMS will delete. Nothing deletes a key at once. */
  readonly stays?: boolean
}

/** The stacks, and what they leave: what it is called, and who finds it. All else ends with its stack. */
export const finders: Readonly<
  Record<string, (place: Where, stage: string) => Promise<Leftover[]>>
> = {
  async stacks(place, stage) {
    const names = Object.values(stacksOf(stage))
    const statuses = await Promise.all(names.map((name) => statusOf(place, name)))
    return names
      .filter((_, index) => statuses[index])
      .map((name) => ({ name: `the stack ${name}` }))
  },
  async keys({ aws }, stage) {
    const client = new KMS(aws)
    // The description of a key begins with the name of its stack.
    const beginning = `${stacksOf(stage).service}: `
    const keys = await listed(paginateListKeys({ client }, {}), ({ Keys }) => Keys)
    const found = keys.map(async ({ KeyId }): Promise<Leftover[]> => {
      const described = await client.describeKey({ KeyId }).catch((error) => {
        // A key whose policy does not let this caller ask is not of a trial.
        if (isDenied(error)) return undefined
        throw error
      })
      const { Description = '', KeyState, DeletionDate } = described?.KeyMetadata ?? {}
      if (!Description.startsWith(beginning)) return []
      const name = `the key ${Description.slice(beginning.length)}`
      const day = DeletionDate?.toISOString().slice(0, 10)
      if (KeyState === 'PendingDeletion')
        return [{ name: `${name}, deleted on ${day}`, stays: true }]
      // The shortest time that KMS waits.
      const deletion = { KeyId, PendingWindowInDays: 7 }
      return [{ name, remove: () => client.scheduleKeyDeletion(deletion) }]
    })
    return (await Promise.all(found)).flat()
  },
  async tables({ aws }, stage) {
    const client = new DynamoDB(aws)
    const names = await listed(paginateListTables({ client }, {}), ({ TableNames }) => TableNames)
    const own = names.filter((name) => name.startsWith(`${stacksOf(stage).service}-`))
    return own.map((TableName) => ({
      name: `the table ${TableName}`,
      remove: () => client.deleteTable({ TableName }),
    }))
  },
  async 'log groups'({ aws }, stage) {
    const client = new CloudWatchLogs(aws)
    const logGroupNamePattern = `${stacksOf(stage).service}-`
    const pages = paginateDescribeLogGroups({ client }, { logGroupNamePattern })
    const groups = await listed(pages, ({ logGroups }) => logGroups)
    const own = groups.filter(({ logGroupName }) => logGroupName?.includes(logGroupNamePattern))
    return own.map(({ logGroupName }) => ({
      name: `the log group ${logGroupName}`,
      remove: () => client.deleteLogGroup({ logGroupName }),
    }))
  },
}

/** Whether AWS has answered that a permission is missing. */
export const isDenied = (error: unknown): boolean => /^AccessDenied/.test((error as Error).name)
