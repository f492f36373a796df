import { setTimeout as sleep } from 'node:timers/promises'
import { CloudFormation } from '@aws-sdk/client-cloudformation'
import type { Place } from '../../../scripts/deploy-local/place.ts'
import { secondsToRestore } from '../recovery.ts'
import { finders, isDenied, type Leftover, stacksOf, statusOf } from './trial-parts.ts'

interface Where extends Pick<Place, 'aws'> {
  /** The seconds between two questions about something that takes minutes. */
  readonly pollSeconds: number
  say(line: string): void
}

/** What hinders the deletion of a stack can be gone the next time. */
const attempts = 3

/** CloudFront takes minutes to delete a distribution, and CodeDeploy to turn an update back. */
const secondsForStack = 3_600

/** What is gone can be listed for a while. */
const secondsToForget = 600

/**
 * Removes everything that is named after a stage: both stacks, the restored table, logs, and it lets KMS delete the keys.
 * Waits until nothing else remains, and returns what remains, each as a line: what stays by design, and the faults:
 * what could not be removed, and what the account does not list. Can be repeated. Never rejects.
 */
export async function removeTrial(place: Where, stage: string) {
  const stacks = Object.values(stacksOf(stage))
  place.say(`Deleting the stacks ${stacks.join(' and ')}…`)
  const deleting = stacks.map((name) =>
    deleteStack(place, name).catch(({ message }: Error) => place.say(message)),
  )
  await Promise.all(deleting)
  const since = Date.now()
  for (;;) {
    const { isFinal, found, ...remaining } = await leftBehind(place, stage)
    if (isFinal) return remaining
    const isBusy = await removeEach(place, found)
    // A table that is still restored cannot be deleted.
    const seconds = isBusy ? secondsToRestore : secondsToForget
    if (Date.now() > since + seconds * 1_000) return remaining
    await sleep(place.pollSeconds * 1_000)
  }
}

/** Finds what is named after the stage, and whether another question is useless. Never rejects. */
async function leftBehind(place: Where, stage: string) {
  const lists = Object.entries(finders).map(async ([what, find]) => {
    const unlisted = (error: Error) => [{ name: `the ${what} (${error.message})`, error }]
    const each: readonly (Leftover & { error?: Error })[] = await find(place, stage).catch(unlisted)
    return each
  })
  const found = (await Promise.all(lists)).flat()
  const [staying, others] = [
    found.filter(({ stays }) => stays),
    found.filter((each) => !each.stays),
  ]
  return {
    found,
    // A permission that is missing, is missing the next time too.
    isFinal: others.every(({ error }) => error && isDenied(error)),
    stays: staying.map(({ name }) => name).sort(),
    faults: others.map(
      ({ name, error }) => `${error ? 'could not be listed' : 'not removed'}: ${name}`,
    ),
  }
}

/** Tries to remove everything that is removable. Returns whether something can be removed later only, because it is in use. */
async function removeEach({ say }: Where, found: readonly Leftover[]): Promise<boolean> {
  let isBusy = false
  for (const { name, remove } of found) {
    if (!remove) continue
    say(`Removing ${name}…`)
    await remove().catch((error: Error) => {
      isBusy ||= error.name === 'ResourceInUseException'
      say(error.message)
    })
  }
  return isBusy
}

/** Deletes a stack whatever its status, and waits until it is gone or cannot be deleted. */
async function deleteStack({ aws, pollSeconds }: Where, StackName: string): Promise<void> {
  const client = new CloudFormation(aws)
  const until = Date.now() + secondsForStack * 1_000
  let [isCancelled, deletions] = [false, 0]
  while (Date.now() < until) {
    const status = await statusOf({ aws }, StackName)
    if (status === undefined) return
    if (status === 'UPDATE_IN_PROGRESS' && !isCancelled) {
      isCancelled = true
      // The update can end in this moment.
      await client.cancelUpdateStack({ StackName }).catch(() => undefined)
    } else if (!status.endsWith('_IN_PROGRESS') || status === 'REVIEW_IN_PROGRESS') {
      if (deletions === attempts) return
      deletions += 1
      await client.deleteStack({ StackName })
    }
    await sleep(pollSeconds * 1_000)
  }
}
