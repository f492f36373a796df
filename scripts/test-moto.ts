// `npm run test:moto`: runs the API tests against `npm start` on moto, a mock of AWS.
//
// Needs Python 3.10 or later, and no AWS account. The last line of standard output counts the tests: `N passed,
// N failed`, followed by `, N skipped` if any were skipped. The exit code is 0 only if at least one test passed
// and none failed.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { helpIfAsked } from '../local/help.ts'
import { type EmulatorRun, runOnEmulator, testApi } from '../test/deployed/emulator-run.ts'
import { motoExceptions } from '../test/deployed/exceptions.ts'
import { pythonEnvironment } from '../test/deployed/python-environment.ts'
import { motoProgram, startMoto } from '../test/moto/moto.ts'
import { npmStart } from '../test/moto/npm-start.ts'
import { heading } from './count.ts'

helpIfAsked([
  'Usage: npm run test:moto',
  '',
  'Runs the API tests against npm start on moto, a mock of AWS. Needs Python 3.10 or later.',
])

await runOnEmulator(testOnMoto)

async function testOnMoto(run: EmulatorRun): Promise<void> {
  const { cleanup } = run
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

  await testApi(run, service.target, { exceptions: motoExceptions })
}
