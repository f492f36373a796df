// The process of the API tests of a trial: gets an ApiTestRequest, runs the tests, and returns an ApiTestAnswer. It ends
// with the trial, also if that is killed: nothing may call a stage that is being removed.

import { once } from 'node:events'
import { exceptedLines } from '../../test/deployed/api-tests.ts'
import { testApi } from '../../test/deployed/emulator-run.ts'
import { type Checked, newTally } from '../../test/deployed/tally.ts'
import type { ApiTestAnswer, ApiTestRequest } from './api-tests.ts'

process.once('disconnect', () => process.exit(1))
const [{ target, options }]: [ApiTestRequest] = await (once(process, 'message') as Promise<never>)
const checked: Checked[] = []
const tally = newTally((each) => checked.push(each))
const tests = await testApi({ tally }, target, options)
const { passed, failed, skipped } = tally
const answer: ApiTestAnswer = {
  count: { passed, failed, skipped },
  failures: [...tests.failures, ...checked.filter(({ error }) => error !== undefined)].map(
    ({ title, error }) => ({ title, error: error instanceof Error ? error.message : `${error}` }),
  ),
  skipped: exceptedLines(tests),
}
process.send?.(answer, () => process.exit())
