// `npm run test:moto`: runs the API tests against `npm start` on moto, a mock of AWS.
//
// Needs Python 3.10 or later, and no AWS account. The last line of standard output counts the tests: `N passed,
// N failed`, followed by `, N skipped` if any were skipped. The exit code is 0 only if at least one test passed
// and none failed.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { helpIfAsked } from '../local/help.ts'
import {
  expectExceptionsUsed,
  expectSameTests,
  localApiTests,
  printDifference,
  runApiTests,
} from '../test/deployed/api-tests.ts'
import { motoExceptions } from '../test/deployed/exceptions.ts'
import { pythonEnvironment } from '../test/deployed/python-environment.ts'
import { newTally } from '../test/deployed/tally.ts'
import { motoProgram, startMoto } from '../test/moto/moto.ts'
import { npmStart } from '../test/moto/npm-start.ts'
import { heading, summary } from './count.ts'

helpIfAsked([
  'Usage: npm run test:moto',
  '',
  'Runs the API tests against npm start on moto, a mock of AWS. Needs Python 3.10 or later.',
])

const tally = newTally()
const cleanup = new AsyncDisposableStack()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void cleanup.disposeAsync().then(() => process.exit(1)))
}
await testOnMoto().catch((error) => tally.fail('The run was aborted', error))
await tally.check('Everything that was started has stopped', () => cleanup.disposeAsync())
console.log(summary(tally))
process.exit(tally.failed > 0 || tally.passed === 0 ? 1 : 0)

async function testOnMoto(): Promise<void> {
  heading('Start')
  const python = await pythonEnvironment(motoProgram)
  const dataDir = await mkdtemp(join(tmpdir(), 'player-nfts-moto-'))
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }))
  const moto = await startMoto(python)
  cleanup.defer(() => moto.close())
  const variables = { AWS_ENDPOINT_URL: moto.url, SWEEP_DELAY_SECONDS: '1' }
  let isReady = false
  const service = await npmStart(dataDir, variables, (line) => isReady || console.log(line))
  isReady = true
  cleanup.defer(() => service.close())

  heading('Test')
  const local = await localApiTests()
  const onMoto = await runApiTests(service.target, { exceptions: motoExceptions })
  tally.add(onMoto)
  printDifference(local, onMoto)
  await tally.check('The tests are the same as locally', () => expectSameTests(local, onMoto))
  await tally.check('Each exception applies to a test', () => expectExceptionsUsed(onMoto))
}
