import type { Count } from '../../scripts/count.ts'

/** Counts test results. */
export type Tally = ReturnType<typeof newTally>

export function newTally() {
  const tally = {
    passed: 0,
    failed: 0,
    skipped: 0,
    /** Runs a check as one test and prints its result. Never rejects. */
    async check(title: string, holds: () => unknown): Promise<void> {
      try {
        await holds()
      } catch (error) {
        tally.fail(title, error)
        return
      }
      tally.passed += 1
      console.log(`✓ ${title}`)
    },
    /** Prints an error and counts it as one failed test. */
    fail(title: string, error: unknown): void {
      tally.failed += 1
      console.log(`✗ ${title}\n${error instanceof Error ? error.message : error}`)
    },
    add({ passed, failed, skipped }: Count): void {
      tally.passed += passed
      tally.failed += failed
      tally.skipped += skipped
    },
  }
  return tally
}
