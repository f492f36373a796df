import { killCommands } from '../../test/deployed/run-command.ts'
import type { TrialPlace } from './trial-place.ts'

/**
 * Handles Ctrl-C, SIGTERM and SIGHUP from now on. The first one ends the step in progress, so that the removal begins.
 * No later one ends the removal. Returns the signal that is aborted at the first one.
 */
export function interruptions(
  { removalOf }: Pick<TrialPlace, 'removalOf'>,
  stage: string,
): AbortSignal {
  const interrupted = new AbortController()
  const handle = () => {
    const isFirst = !interrupted.signal.aborted
    console.log(
      isFirst
        ? '\nInterrupted: everything that was created is being removed. Wait for the report.'
        : `\nStill removing.${removalOf ? ` If you kill the command: ${removalOf(stage)}` : ''}`,
    )
    if (!isFirst) return
    interrupted.abort()
    killCommands()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handle)
  return interrupted.signal
}
