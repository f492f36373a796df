import assert from 'node:assert/strict'
import { join } from 'node:path'
import { startVitest } from 'vitest/node'
import { countTests, heading } from '../../scripts/count.ts'
import type { Target } from '../support/services/service.ts'
import { patience } from '../support/vitest/patience.ts'
import type { EmulatorRun } from './emulator-run.ts'
import { type Exception, exceptionOf } from './exceptions.ts'

export interface ApiTestOptions {
  /** The certificate of an emulator that serves HTTPS, as PEM. */
  certificate?: string
  exceptions: readonly Exception[]
  /** The number of test files that run at the same time. */
  maxWorkers?: number
}

/** Runs the API tests against a URL, and prints which it skips, and why. Each skipped test has an exception, and each exception a test. */
export async function testApi(
  { tally }: Pick<EmulatorRun, 'tally'>,
  target: Target,
  { certificate = '', exceptions, maxWorkers }: ApiTestOptions,
): Promise<void> {
  heading('Test')
  const vitest = await startVitest(['test/api/'], {
    config: false,
    watch: false,
    reporters: 'default',
    include: ['test/**/*.test.ts'],
    setupFiles: [join(import.meta.dirname, 'emulator-setup.ts')],
    ...patience,
    ...(maxWorkers && { maxWorkers }),
    provide: { target, certificate, exceptions, functions: {} },
  })
  const count = countTests(vitest)
  tally.add(count)
  const tests = vitest.state.getTestModules().flatMap(({ children }) => [...children.allTests()])
  const excepted = tests.map(({ module, name }) => exceptionOf(exceptions, module.moduleId, name))
  const skippedBy = (exception: Exception) => excepted.filter((each) => each === exception).length
  console.log(`API cases:                          ${tests.length}`)
  console.log(`API cases against the emulator:     ${tests.length - count.skipped}`)
  for (const exception of exceptions) {
    const { file, title, reason } = exception
    console.log(`  ${skippedBy(exception)} skipped: ${file}, "${title}": ${reason}.`)
  }
  await tally.check('Each exception applies to a test, and each skipped test has one', () => {
    assert.deepEqual(
      exceptions.filter((exception) => skippedBy(exception) === 0),
      [],
    )
    assert.equal(excepted.filter((exception) => exception).length, count.skipped)
  })
}
