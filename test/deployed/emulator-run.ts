import { constants } from 'node:os'
import { summary } from '../../scripts/count.ts'
import { killCommands } from '../../scripts/deploy-local/run-command.ts'
import { newTally, type Tally } from './tally.ts'

/** A run of tests on an emulator. */
export interface EmulatorRun {
  readonly tally: Tally
  /** Everything that the run starts is disposed here at its end, and when a signal ends it. */
  readonly cleanup: AsyncDisposableStack
}

/**
 * Runs `test`, disposes what it has started, prints the number of tests as the last line of standard output, and ends
 * the process. The exit code is 0 only if at least one test passed and none failed.
 */
export async function runOnEmulator(test: (run: EmulatorRun) => Promise<void>): Promise<never> {
  const run = { tally: newTally(), cleanup: new AsyncDisposableStack() }
  const { tally, cleanup } = run
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, async () => {
      console.log(`\n${signal}: stopping everything that was started.`)
      killCommands()
      await cleanup.disposeAsync()
      process.exit(128 + constants.signals[signal])
    })
  }
  await test(run).catch((error) => tally.fail('The run was aborted', error))
  await tally.check('Everything that was started has stopped', () => cleanup.disposeAsync())
  console.log(summary(tally))
  process.exit(tally.failed > 0 || tally.passed === 0 ? 1 : 0)
}
