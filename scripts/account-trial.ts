// `npm run account-trial`: deploys the service to an AWS account under a name of its own, tests and measures it, and
// removes it. An owner of the account runs it. With --emulator it runs on MiniStack, which the soak does.
//
// The last line of standard output counts the tests and checks: `N passed, N failed`, followed by `, N skipped`. The
// exit code is 0 only if none failed, the trial was not interrupted, and nothing but keys and CDKToolkit remains.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { helpIfAsked } from '../local/help.ts'
import { accountPlace, statusOf } from './account-trial/account-place.ts'
import { type Arguments, helpLines, readArguments } from './account-trial/arguments.ts'
import { describeTrial } from './account-trial/description.ts'
import { emulatorPlace } from './account-trial/emulator-place.ts'
import { interruptions } from './account-trial/interruptions.ts'
import { makeTrial, onlyRemove } from './account-trial/make-trial.ts'
import { newStage, stacksOf } from './account-trial/stage.ts'
import type { TrialPlace } from './account-trial/trial-place.ts'

helpIfAsked(helpLines)

const cleanup = new AsyncDisposableStack()
try {
  const asked = readArguments(process.argv.slice(2), process.env)
  process.exitCode = (await run(asked)) ? 0 : 1
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
} finally {
  await cleanup.disposeAsync()
}
// A trial that was interrupted can have left timers.
process.exit()

async function run(asked: Arguments): Promise<boolean> {
  const { where, account, alchemyKey, remove } = asked
  const stage = remove ?? newStage()
  const dir = await mkdtemp(join(tmpdir(), 'player-nfts-trial-'))
  cleanup.defer(() => rm(dir, { recursive: true, force: true }))
  const isEmulator = where === 'emulator'
  const place = isEmulator ? await emulatorPlace(dir, cleanup) : await accountPlace(where, account)
  if (remove === undefined) await refuseExisting(place, stage)
  const what =
    remove === undefined
      ? describeTrial(place, { stage, alchemyKey })
      : [
          `Removes everything of the stage ${stage} from the account ${place.account} in ${place.aws.region}.`,
        ]
  console.log(what.join('\n'))
  await approve(asked)
  const interrupted = interruptions(place, stage)
  if (remove !== undefined) return await onlyRemove(place, stage)
  return await makeTrial({ place, stage, dir, alchemyKey, interrupted })
}

async function refuseExisting(place: TrialPlace, stage: string): Promise<void> {
  for (const name of Object.values(stacksOf(stage))) {
    if (await statusOf(place, name)) throw new Error(`The stack ${name} exists already.`)
  }
}

/** Asks whether to go on. Throws an Error of one sentence if the answer is no, or nobody can answer. */
async function approve({ yes }: Arguments): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new Error('There is no terminal to ask in: say --yes to go on without a question.')
  }
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  // Ctrl-C and Ctrl-D reject the question.
  const answer = await lines.question('\nGo on? Type yes: ').catch(() => 'no')
  lines.close()
  if (answer.trim() !== 'yes') throw new Error('Nothing was created.')
}
