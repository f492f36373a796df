import { setTimeout as sleep } from 'node:timers/promises'
import {
  CancelUpdateStackCommand,
  CloudFormationClient,
  DeleteStackCommand,
} from '@aws-sdk/client-cloudformation'
import { secondsToRestore } from '../../test/deployed/recovery.ts'
import { statusOf } from './account-place.ts'
import { type LeftBehind, leftBehind } from './left-behind.ts'
import { stacksOf } from './stage.ts'
import type { TrialPlace } from './trial-place.ts'

type Where = Pick<TrialPlace, 'aws' | 'pollSeconds'>

/** A stack that is not deleted the first time is deleted again when what hinders it is gone. */
const attempts = 3

/** CloudFront takes minutes to delete a distribution, and CodeDeploy to turn an update back. */
const secondsForStack = 3_600

/** What is gone can be listed for a while. */
const secondsToForget = 600

/**
 * Removes everything that is named after a stage: both stacks, the restored table, secrets, logs, files, and it lets KMS
 * delete the keys. Waits until nothing else remains, and returns what remains. Can be repeated. Never rejects.
 */
export async function removeTrial(place: Where, stage: string): Promise<LeftBehind> {
  const { service, indexer } = stacksOf(stage)
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    console.log(`Deleting the stacks ${service} and ${indexer}…`)
    const deleted = await Promise.all(
      [service, indexer].map((name) => deleteStack(place, name).catch(printed)),
    )
    await removeEach(await leftBehind(place, stage))
    if (deleted.every((isDeleted) => isDeleted)) break
  }
  const since = Date.now()
  for (;;) {
    const left = await leftBehind(place, stage)
    if (isFinal(left)) return left
    const isBusy = await removeEach(left)
    // A table that is still restored cannot be deleted.
    const seconds = isBusy ? secondsToRestore : secondsToForget
    if (Date.now() > since + seconds * 1_000) return left
    await sleep(place.pollSeconds * 1_000)
  }
}

/** Nothing else will be removed, or be known, after another question. */
const isFinal = ({ others, unlisted }: LeftBehind): boolean =>
  others.length === 0 && unlisted.every(({ isDenied }) => isDenied)

/** Tries to remove everything that is removable. Returns whether something can be removed later only, because it is in use. */
async function removeEach({ removable }: LeftBehind): Promise<boolean> {
  let isBusy = false
  for (const { name, remove } of removable) {
    console.log(`Removing ${name}…`)
    await remove().catch((error: Error) => {
      isBusy ||= error.name === 'ResourceInUseException'
      printed(error)
    })
  }
  return isBusy
}

function printed({ message }: Error): false {
  console.log(message)
  return false
}

/** Deletes a stack whatever its status, and returns whether it is gone. */
async function deleteStack(place: Where, StackName: string): Promise<boolean> {
  const client = new CloudFormationClient(place.aws)
  const until = Date.now() + secondsForStack * 1_000
  const asked = new Set<'cancel' | 'delete'>()
  const ask = async (what: 'cancel' | 'delete', command: () => Promise<unknown>) => {
    if (asked.has(what)) return
    asked.add(what)
    await command()
  }
  for (;;) {
    const status = await statusOf(place, StackName)
    if (status === undefined) return true
    if (status === 'UPDATE_IN_PROGRESS') {
      // The update can end in this moment.
      await ask('cancel', () =>
        client.send(new CancelUpdateStackCommand({ StackName })).catch(() => undefined),
      )
    } else if (!status.endsWith('_IN_PROGRESS') || status === 'REVIEW_IN_PROGRESS') {
      if (asked.has('delete') && status === 'DELETE_FAILED') return false
      await ask('delete', () => client.send(new DeleteStackCommand({ StackName })))
    }
    if (Date.now() > until) return false
    await sleep(place.pollSeconds * 1_000)
  }
}
