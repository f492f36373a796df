// The process of the API tests of a trial: gets an ApiTestRequest, runs the tests, and returns an ApiTestAnswer.

import { once } from 'node:events'
import { testApi } from '../../test/deployed/emulator-run.ts'
import { newTally } from '../../test/deployed/tally.ts'
import type { ApiTestAnswer, ApiTestRequest } from './api-tests.ts'

const [{ target, options }]: [ApiTestRequest] = await (once(process, 'message') as Promise<never>)
const failures: string[] = []
const tally = newTally(({ title, error }) => {
  if (error !== undefined) failures.push(title)
})
failures.push(...(await testApi({ tally }, target, options)))
const { passed, failed, skipped } = tally
const answer: ApiTestAnswer = { count: { passed, failed, skipped }, failures }
process.send?.(answer, () => process.exit())
