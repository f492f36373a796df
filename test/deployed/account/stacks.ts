import { randomInt } from 'node:crypto'
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
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
