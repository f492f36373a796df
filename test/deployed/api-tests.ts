import assert from 'node:assert/strict'
import { join } from 'node:path'
import { createVitest, startVitest, type TestCase, type Vitest } from 'vitest/node'
import { type Count, countTests } from '../../scripts/count.ts'
import type { Target } from '../support/services/service.ts'
import { patience } from '../support/vitest/patience.ts'
import { type Exception, exceptionOf } from './exceptions.ts'

/** The result of the API tests. */
export interface ApiTests extends Count {
  /** The file and full title of each test. */
  names: string[]
  /** The number of tests that each exception skips. */
  excepted: Map<Exception, number>
}

export interface ApiTestOptions {
  /** The certificate of an emulator that serves HTTPS, as PEM. */
  certificate?: string
  exceptions: readonly Exception[]
  /** The number of test files that run at the same time. */
  maxWorkers?: number
}

/** Runs the API tests against a deployment on the emulator. */
export async function runApiTests(
  target: Target,
  { certificate, exceptions, maxWorkers }: ApiTestOptions,
): Promise<ApiTests> {
  const vitest = await startVitest(['test/api/'], {
    config: false,
    watch: false,
    reporters: 'default',
    include: ['test/**/*.test.ts'],
    setupFiles: [join(import.meta.dirname, 'emulator-setup.ts')],
    ...patience,
    ...(maxWorkers && { maxWorkers }),
    provide: { target, certificate: certificate ?? '', exceptions, functions: {} },
  })
  const tests = testsOf(vitest)
  const excepted = exceptions.map((exception): [Exception, number] => [
    exception,
    tests.filter(({ module, name }) => exceptionOf(exceptions, module.moduleId, name) === exception)
      .length,
  ])
  return { ...countTests(vitest), names: tests.map(nameOf), excepted: new Map(excepted) }
}

/** The names of the API tests that `npm test` runs. */
export async function localApiTests(): Promise<string[]> {
  const vitest = await createVitest({ watch: false })
  try {
    await vitest.collect(['test/api/'], { staticParse: false })
    return testsOf(vitest).map(nameOf)
  } finally {
    await vitest.close()
  }
}

/** Prints the number of tests on the emulator and locally, and the reasons for the difference. */
export function printDifference(local: string[], { names, skipped, excepted }: ApiTests): void {
  console.log(`API cases locally:                  ${local.length}`)
  console.log(`API cases against the emulator:    ${names.length - skipped}`)
  for (const [{ file, title, reason }, tests] of excepted) {
    console.log(`  ${tests} skipped: ${file}, "${title}": ${reason}.`)
  }
}

/** The deployed and the local tests are the same, and each skipped test has an exception. */
export function expectSameTests(local: string[], { names, skipped, excepted }: ApiTests): void {
  assert.deepEqual(names.toSorted(), local.toSorted())
  assert.equal(
    skipped,
    [...excepted.values()].reduce((sum, tests) => sum + tests, 0),
  )
}

/** Each exception applies to an existing test. */
export function expectExceptionsUsed({ excepted }: ApiTests): void {
  const unused = [...excepted].filter(([, tests]) => tests === 0).map(([{ title }]) => title)
  assert.deepEqual(unused, [])
}

const testsOf = (vitest: Vitest): TestCase[] =>
  vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()])

const nameOf = ({ module, fullName }: TestCase): string => `${module.relativeModuleId}: ${fullName}`
