import type { Count } from '../../scripts/count.ts'

/** Counts test results. */
export interface Tally extends Count {
  /** Runs a check as one test and prints its result. Never rejects. */
  check(title: string, holds: () => unknown): Promise<void>
  /** Prints an error and counts it as one failed test. */
  fail(title: string, error: unknown): void
  add(count: Count): void
}

/** Starts to count. */
export function newTally(): Tally {
  const tally: Tally = {
    passed: 0,
    failed: 0,
    skipped: 0,
    async check(title, holds) {
      try {
        await holds()
      } catch (error) {
        tally.fail(title, error)
        return
      }
      tally.passed += 1
      console.log(`✓ ${title}`)
    },
    fail(title, error) {
      tally.failed += 1
      console.log(`✗ ${title}\n${error instanceof Error ? error.message : error}`)
    },
    add({ passed, failed, skipped }) {
      tally.passed += passed
      tally.failed += failed
      tally.skipped += skipped
    },
  }
  return tally
}
