// The process of the checks of a trial: gets a Trial, makes its checks, and returns their Count. It ends with the process
// that has started it, also if that is killed: nothing may create or call what is being removed.

import { once } from 'node:events'
import { killCommands } from '../../../scripts/deploy-local/run-command.ts'
import { reachEmulator } from '../../../scripts/deploy-local/this-machine.ts'
import { newTally } from '../tally.ts'
import { checkTrial } from './checks.ts'
import type { Trial } from './trial-places.ts'

process.once('disconnect', () => {
  killCommands()
  process.exit(1)
})
const [trial]: [Trial] = await (once(process, 'message') as Promise<never>)
const { emulator } = trial.place
if (emulator) reachEmulator(emulator.ministack.certificate)
const run = { tally: newTally(), cleanup: new AsyncDisposableStack() }
await checkTrial(run, trial).catch((error) => run.tally.fail('The trial was aborted', error))
await run.cleanup.disposeAsync()
process.send?.(run.tally, () => process.exit())
