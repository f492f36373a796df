import assert from 'node:assert/strict'
import { join } from 'node:path'
import { createVitest, startVitest, type TestCase, type Vitest } from 'vitest/node'
import { type Count, countTests } from '../../scripts/count.ts'
import type { Target } from '../support/services/service.ts'
import { type Exception, exceptions, isAbout } from './exceptions.ts'

/** What came of the API tests. */
export interface ApiTests extends Count {
  /** Each test by its file and full title. */
  names: string[]
  /** How many tests each exception has kept from running. */
  excepted: Map<Exception, number>
}

/**
 * Runs the API tests against a target that the emulator serves. Otherwise they run as by `npm test`, but
 * with more time: the emulator is slower than what it stands for.
 */
export async function runApiTests(target: Target, certificate: string): Promise<ApiTests> {
  const vitest = await startVitest(['test/api'], {
    config: false,
    watch: false,
    reporters: 'default',
    include: ['test/**/*.test.ts'],
    setupFiles: [join(import.meta.dirname, 'emulator-setup.ts')],
    testTimeout: 60_000,
    provide: { target, certificate, functions: {} },
  })
  const tests = testsOf(vitest)
  const excepted = exceptions.map((exception): [Exception, number] => [
    exception,
    tests.filter((test) => isAbout(exception, test.module.moduleId, test.name)).length,
  ])
  return { ...countTests(vitest), names: tests.map(nameOf), excepted: new Map(excepted) }
}

/** The names of the API tests as `npm test` runs them. */
export async function localApiTests(): Promise<string[]> {
  const vitest = await createVitest({ watch: false })
  try {
    await vitest.collect(['test/api'], { staticParse: false })
    return testsOf(vitest).map(nameOf)
  } finally {
    await vitest.close()
  }
}

/** Prints how many tests were run against the deployed URL, how many locally, and why they differ. */
export function printDifference(local: string[], { names, skipped, excepted }: ApiTests): void {
  console.log(`API cases locally:                  ${local.length}`)
  console.log(`API cases against the deployed URL: ${names.length - skipped}`)
  for (const [{ file, title, reason }, tests] of excepted) {
    console.log(`${String(tests).padStart(4)} skipped: ${file}, "${title}":\n     ${reason}.`)
  }
}

/** The deployed tests are the local ones, and every skipped one has its exception. */
export function expectSameTests(local: string[], { names, skipped, excepted }: ApiTests): void {
  assert.deepEqual(names.toSorted(), local.toSorted())
  assert.equal(
    skipped,
    [...excepted.values()].reduce((sum, tests) => sum + tests, 0),
  )
}

/** Each exception is about a test that there is. */
export function expectExceptionsUsed({ excepted }: ApiTests): void {
  const unused = [...excepted].filter(([, tests]) => tests === 0).map(([{ title }]) => title)
  assert.deepEqual(unused, [])
}

const testsOf = (vitest: Vitest): TestCase[] =>
  vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()])

const nameOf = ({ module, fullName }: TestCase): string => `${module.relativeModuleId}: ${fullName}`
