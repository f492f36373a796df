import type { Count } from '../../scripts/count.ts'

/** Counts test results. */
export interface Tally extends Count {
  /** Runs a check as one test and prints its result. Rejects only if the run is interrupted. */
  check(title: string, holds: () => unknown): Promise<void>
  /** Prints an error and counts it as one failed test. */
  fail(title: string, error: unknown): void
  add(count: Count): void
}

/** What a check has found: nothing, or an error. */
export interface Checked {
  title: string
  error?: unknown
}

/**
 * Starts to count. `onChecked` gets each result. After `interrupted`, every check rejects and is not counted: it says
 * nothing about the service, and nothing may follow it.
 */
export function newTally(
  onChecked: (checked: Checked) => void = () => undefined,
  interrupted?: AbortSignal,
): Tally {
  const tally: Tally = {
    passed: 0,
    failed: 0,
    skipped: 0,
    async check(title, holds) {
      interrupted?.throwIfAborted()
      const failed = await errorOf(holds)
      interrupted?.throwIfAborted()
      if (failed) {
        tally.fail(title, failed.error)
        return
      }
      tally.passed += 1
      console.log(`✓ ${title}`)
      onChecked({ title })
    },
    fail(title, error) {
      tally.failed += 1
      console.log(`✗ ${title}\n${error instanceof Error ? error.message : error}`)
      onChecked({ title, error })
    },
    add({ passed, failed, skipped }) {
      tally.passed += passed
      tally.failed += failed
      tally.skipped += skipped
    },
  }
  return tally
}

async function errorOf(holds: () => unknown): Promise<{ error: unknown } | undefined> {
  try {
    await holds()
    return undefined
  } catch (error) {
    return { error }
  }
}
