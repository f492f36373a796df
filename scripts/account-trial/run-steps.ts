import { setTimeout as sleep } from 'node:timers/promises'
import { type Checked, newTally, type Tally } from '../../test/deployed/tally.ts'
import { heading } from '../count.ts'
import type { Part } from './trial-place.ts'

/** A step of a trial. Its name is in the description, in the report, and in what is skipped. */
export interface Step<Trial> {
  readonly name: string
  /** How long it takes in an account, about. */
  readonly minutes: number
  /** What a place must have for it. */
  readonly needs?: Part
  /** Another reason to leave it out, or undefined. */
  whySkipped?(known: Known): string | undefined
  /** Returns lines for the report. An error ends the trial; a check that fails does not. */
  run(trial: Trial, tally: Tally): Promise<readonly string[] | undefined>
}

/** What decides about a step before a trial begins. */
interface Known {
  readonly lacks: readonly Part[]
  readonly alchemyKey?: string | undefined
}

/** Why a step is left out, or undefined. */
export const reasonToSkip = (
  { needs, whySkipped }: Pick<Step<never>, 'needs' | 'whySkipped'>,
  known: Known,
): string | undefined =>
  needs && known.lacks.includes(needs) ? `no ${needs} here` : whySkipped?.(known)

/** What became of a step. */
export interface StepResult {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'not run'
  /** Why it was skipped, or has ended the trial. */
  readonly reason?: string
  readonly minutes: number
  readonly checks: readonly Checked[]
  /** Further tests: those of the API. */
  readonly tests: { readonly passed: number; readonly failed: number; readonly skipped: number }
  readonly lines: readonly string[]
}

const notRun = { minutes: 0, checks: [], tests: { passed: 0, failed: 0, skipped: 0 }, lines: [] }

/** The longest time that an interrupted step may take to notice. */
const secondsToNotice = 60

/**
 * Makes the steps one after the other. The first error and an interruption end the trial: the steps after it are not
 * made. Never rejects.
 */
export async function runSteps<Trial>(
  steps: readonly Step<Trial>[],
  trial: Trial,
  { interrupted, ...known }: Known & { readonly interrupted: AbortSignal },
): Promise<StepResult[]> {
  const results: StepResult[] = []
  let hasEnded = false
  for (const step of steps) {
    const { name } = step
    if (hasEnded || interrupted.aborted) {
      results.push({ ...notRun, name, outcome: 'not run' })
      continue
    }
    const reason = reasonToSkip(step, known)
    if (reason !== undefined) {
      console.log(`\n── ${name}: skipped, ${reason}`)
      results.push({ ...notRun, name, outcome: 'skipped', reason })
      continue
    }
    heading(name)
    const result = await runStep(step, trial, interrupted)
    hasEnded = result.reason !== undefined
    results.push(result)
  }
  return results
}

async function runStep<Trial>(
  step: Step<Trial>,
  trial: Trial,
  interrupted: AbortSignal,
): Promise<StepResult> {
  const checks: Checked[] = []
  const tally = newTally((checked) => checks.push(checked), interrupted)
  const started = performance.now()
  const running = step.run(trial, tally).then(
    (lines = []) => ({ lines }),
    (error: Error) => ({ lines: [], reason: error.message }),
  )
  const ended = await Promise.race([running, abortOf(interrupted)])
  // What it has begun must not create anything while it is being removed.
  if (ended === 'interrupted') await Promise.race([running, sleep(secondsToNotice * 1_000)])
  const result = ended === 'interrupted' ? { lines: [], reason: 'interrupted' } : ended
  if ('reason' in result) console.log(`✗ ${step.name}\n${result.reason}`)
  const failed = checks.filter(({ error }) => error !== undefined).length
  const tests = {
    passed: tally.passed - (checks.length - failed),
    failed: tally.failed - failed,
    skipped: tally.skipped,
  }
  const isRight = tally.failed === 0 && !('reason' in result)
  const minutes = (performance.now() - started) / 60_000
  return {
    ...{ name: step.name, minutes, checks, tests },
    outcome: isRight ? 'passed' : 'failed',
    ...result,
  }
}

const abortOf = (signal: AbortSignal): Promise<'interrupted'> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve('interrupted')
    signal.addEventListener('abort', () => resolve('interrupted'), { once: true })
  })
