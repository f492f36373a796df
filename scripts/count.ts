import type { TestModule, TestSuite, Vitest } from 'vitest/node'

/** The number of tests by their results. */
export interface Count {
  passed: number
  failed: number
  skipped: number
}

/** Returns the last line of a run: `N passed, N failed`, with `, N skipped` if tests were skipped. */
export const summary = ({ passed, failed, skipped }: Count): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

/** Counts each test once. A file or group that fails outside its tests counts as one more failure. */
export function countTests(vitest: Vitest): Count {
  const count = { passed: 0, failed: vitest.state.getUnhandledErrors().length, skipped: 0 }
  for (const module of vitest.state.getTestModules()) {
    const groups: (TestModule | TestSuite)[] = [module, ...module.children.allSuites()]
    count.failed += groups.filter((group) => group.errors().length > 0).length
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      // A test is still pending if its worker process has ended.
      count[state === 'pending' ? 'failed' : state] += 1
    }
  }
  return count
}

export function heading(title: string): void {
  console.log(`\n── ${title} ${'─'.repeat(60 - title.length)}\n`)
}
