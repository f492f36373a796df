import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Count, heading, summary } from '../../../scripts/count.ts'
import { type AccountArguments, removalCommand } from './arguments.ts'
import { removeTrial } from './removal.ts'
import { bootstrapStack, newStage, stacksOf } from './trial-parts.ts'
import { accountPlace, emulatorPlace, type Trial } from './trial-places.ts'
import { withoutIdentifiers } from './without-identifiers.ts'

/**
 * Makes a trial of the service in an account, or only removes one. Removes everything whatever has happened, lists what
 * remains, and prints the number of tests and checks as the last line. Returns whether none has failed. Throws an Error of
 * one sentence, before anything is created, if there can be no trial.
 */
export async function testAccount(request: AccountArguments): Promise<boolean> {
  await using cleanup = new AsyncDisposableStack()
  const { isEmulator, remove, withoutCloudFront } = request
  const dir = await mkdtemp(join(tmpdir(), 'player-nfts-trial-'))
  cleanup.defer(() => rm(dir, { recursive: true, force: true }))
  const place = isEmulator ? await emulatorPlace(dir, cleanup) : await accountPlace(request)
  const stage = remove ?? newStage()
  const removal = removalCommand(request, stage)
  const indexerPath = randomBytes(24).toString('base64url')
  const say = (line: string) => console.log(withoutIdentifiers(line, indexerPath))
  const interruption = interruptions(removal)
  const count = { passed: 0, failed: 0, skipped: 0 }
  if (remove === undefined) {
    console.log(description(stage, removal).join('\n'))
    const trial = { place, stage, dir, indexerPath, withoutCloudFront, startedAt: Date.now() }
    Object.assign(count, await checksOf(trial, say, interruption))
  }
  heading('Remove')
  const removing = { ...place, say, pollSeconds: isEmulator ? 1 : 15 }
  const remaining = await removeTrial(removing, stage)
  for (const line of listed(remaining)) say(line)
  count[remaining.faults.length === 0 ? 'passed' : 'failed'] += 1
  if (remaining.faults.length > 0 && removal) console.log(`Repeat the removal: ${removal}`)
  console.log(summary(count))
  return count.failed === 0
}

const description = (stage: string, removal: string | undefined): readonly string[] => [
  `This trial creates the stacks ${Object.values(stacksOf(stage)).join(' and ')}, keys, a restored`,
  `table and, if it is missing, ${bootstrapStack}, the stack of the CDK. It changes nothing else. In an account it takes about`,
  'two hours and costs less than a dollar. At its end, and after Ctrl-C, it removes everything that has the name of its stage.',
  ...(removal ? [`If it is killed: ${removal}`] : []),
]

/** Makes the checks of a trial in a process of its own, which an interruption ends, and returns their number. */
async function checksOf(trial: Trial, say: (line: string) => void, interrupted: AbortSignal) {
  // Not in the process group of the terminal, whose Ctrl-C ends Vitest at once.
  const child = fork(join(import.meta.dirname, 'checks-process.ts'), {
    detached: true,
    silent: true,
  })
  const ended = [child.stdout, child.stderr].flatMap((input) =>
    input ? once(createInterface({ input }).on('line', say), 'close') : [],
  )
  // A process that ends without an answer has failed.
  let count: Count = { passed: 0, failed: 1, skipped: 0 }
  child.on('message', (answer: Count) => {
    count = answer
  })
  const end = () => child.connected && child.disconnect()
  interrupted.addEventListener('abort', end)
  if (interrupted.aborted) end()
  else child.send(trial)
  // Node emits no `close` after a disconnection.
  await Promise.all([once(child, 'exit'), ...ended])
  return count
}

/**
 * Handles Ctrl-C, SIGTERM and SIGHUP from now on: the first one ends the checks, so that the removal begins, which no later
 * one ends. Returns the signal that is aborted at the first one.
 */
function interruptions(removal: string | undefined): AbortSignal {
  const interruption = new AbortController()
  const handle = () => {
    if (interruption.signal.aborted) {
      console.log(`Still removing.${removal ? ` If you kill the command: ${removal}` : ''}`)
      return
    }
    console.log('\nInterrupted: everything that was created is being removed.')
    interruption.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handle)
  return interruption.signal
}

/** The list of what remains, with what a trial always leaves. */
const listed = ({ stays, faults }: Awaited<ReturnType<typeof removeTrial>>) => [
  'What remains:',
  `- ${bootstrapStack}, with the bucket of the files that were deployed`,
  '- the system backup that DynamoDB keeps of a deleted table for 35 days, at no cost',
  ...stays.map((line) => `- ${line}`),
  ...faults.map((line) => `✗ ${line}`),
  ...(faults.length === 0 ? ['✓ Nothing else remains'] : []),
]
