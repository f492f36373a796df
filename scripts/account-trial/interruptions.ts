import { killCommands } from '../../test/deployed/run-command.ts'

/**
 * Handles Ctrl-C, SIGTERM and SIGHUP from now on. The first one ends the step in progress, so that the removal begins.
 * No later one ends the removal. Returns the signal that is aborted at the first one.
 */
export function interruptions(stage: string): AbortSignal {
  const interrupted = new AbortController()
  const handle = () => {
    const isFirst = !interrupted.signal.aborted
    console.log(
      isFirst
        ? '\nInterrupted: everything that was created is being removed. Wait for the report.'
        : `\nStill removing. If you kill the command: npm run account-trial -- --remove ${stage}`,
    )
    if (!isFirst) return
    interrupted.abort()
    killCommands()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handle)
  return interrupted.signal
}
