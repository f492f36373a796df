import { setTimeout as sleep } from 'node:timers/promises'
import { CloudFormation } from '@aws-sdk/client-cloudformation'
import type { Place } from '../../../scripts/deploy-local/place.ts'
import { secondsToRestore } from '../recovery.ts'
import { finders, isDenied, type Leftover, stacksOf, statusOf } from './trial-parts.ts'

/** Where something is removed, and how. */
interface Where extends Pick<Place, 'aws'> {
  /** The seconds between two questions about something that takes minutes. */
  readonly pollSeconds: number
  /** Prints a line. */
  say(line: string): void
}

/** What remains after a removal, each as a line. */
export interface Remaining {
  /** What stays by design. */
  readonly stays: readonly string[]
  /** What could not be removed, and what the account does not list, so that nobody knows. */
  readonly faults: readonly string[]
}

/** What hinders the deletion of a stack can be gone the next time. */
const attempts = 3

/** CloudFront takes minutes to delete a distribution, and CodeDeploy to turn an update back. */
const secondsForStack = 3_600

/** What is gone can be listed for a while. */
const secondsToForget = 600

/**
 * Removes everything that is named after a stage: both stacks, the restored table, logs, and it lets KMS delete the keys.
 * Waits until nothing else remains, and returns what remains. Can be repeated. Never rejects.
 */
export async function removeTrial(place: Where, stage: string): Promise<Remaining> {
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
  const found: Leftover[] = []
  const unlisted: string[] = []
  let isFinal = true
  for (const [what, find] of Object.entries(finders)) {
    try {
      found.push(...(await find(place, stage)))
    } catch (error) {
      // A permission that is missing, is missing the next time too.
      isFinal &&= isDenied(error)
      unlisted.push(`could not be listed: the ${what} (${(error as Error).message})`)
    }
  }
  const namesOf = (each: readonly Leftover[]) => each.map(({ name }) => name)
  const others = found.filter(({ stays }) => !stays)
  return {
    found,
    isFinal: isFinal && others.length === 0,
    stays: namesOf(found.filter(({ stays }) => stays)).sort(),
    faults: [...namesOf(others).map((name) => `not removed: ${name}`), ...unlisted],
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
