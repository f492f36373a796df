// Proves the deployment: `npm run test:deployed`.
//
// Deploys the stack with the CDK CLI to MiniStack, an AWS emulator on this machine, runs the API tests
// against the deployed URL, updates the stack three times, which rotates its keys, and removes it.
// Needs Python 3.10 or later, and no AWS account. The last line of standard output counts the API tests
// and the checks made here: `N passed, N failed`, with `, N skipped` when any were. Ends with exit code
// 0 only if there were tests and none failed.

import { mkdtemp, rm } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startIndexerServer } from '../local/indexer/indexer-server.ts'
import { sampleWorld } from '../local/samples/sample-world.ts'
import {
  expectExceptionsUsed,
  expectSameTests,
  localApiTests,
  printDifference,
  runApiTests,
} from '../test/deployed/api-tests.ts'
import { cdkFor } from '../test/deployed/cdk.ts'
import {
  deployVersion,
  expectNoErrors,
  lintTemplate,
  makeLoginRole,
  setIndexerKey,
} from '../test/deployed/deployment.ts'
import { startMinistack } from '../test/deployed/ministack.ts'
import { pythonEnvironment } from '../test/deployed/python-environment.ts'
import { expectNoDeadLetters, expectRemoved } from '../test/deployed/removal.ts'
import { endCommands } from '../test/deployed/run-command.ts'
import { newTally } from '../test/deployed/tally.ts'
import { checkUpdates } from '../test/deployed/updates.ts'
import { serviceAt } from '../test/support/services/service.ts'
import { heading, summary } from './count.ts'

const tally = newTally()
const ending = new AsyncDisposableStack()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void breakOff(signal))
}
await proveDeployment().catch((error) => tally.fail('The run broke off', error))
await tally.check('Nothing is left running', () => ending.disposeAsync())
console.log(summary(tally))
process.exit(tally.failed > 0 || tally.passed === 0 ? 1 : 0)

async function proveDeployment(): Promise<void> {
  heading('Install the emulator')
  const python = await pythonEnvironment()

  heading('Deploy')
  const dir = await mkdtemp(join(tmpdir(), 'player-nfts-deployed-'))
  ending.defer(() => rm(dir, { recursive: true, force: true }))
  const indexer = await startIndexerServer({ world: sampleWorld() })
  ending.defer(() => indexer.close())
  const ministack = await startMinistack(python, dir)
  ending.defer(() => ministack.close())
  const cdk = cdkFor(ministack, dir)
  await cdk.bootstrap()
  const login = await makeLoginRole(python, ministack)
  const surroundings = { python, ministack, cdk, indexerUrl: indexer.url, login }
  const deployment = await deployVersion(surroundings, 'first version')
  await setIndexerKey(ministack, deployment)
  await tally.check('cfn-lint has nothing to say', () => lintTemplate(python, deployment))

  heading('Test')
  const local = await localApiTests()
  const deployed = await runApiTests(deployment.target, ministack.certificate)
  tally.add(deployed)
  printDifference(local, deployed)
  await tally.check('The tests are the local ones', () => expectSameTests(local, deployed))
  await tally.check('Each exception is about a test', () => expectExceptionsUsed(deployed))
  await tally.check('No function has logged an error', () => expectNoErrors(python, ministack))

  heading('Update')
  const update = async (version: string, changes: object) =>
    serviceAt((await deployVersion(surroundings, version, changes)).target)
  await checkUpdates(serviceAt(deployment.target), update, tally)
  await tally.check('No message was given up', () => expectNoDeadLetters(ministack, deployment))

  heading('Remove')
  await cdk.destroy(deployment)
  await tally.check('Nothing is left but keys that KMS will delete', () =>
    expectRemoved(ministack, deployment),
  )
}

async function breakOff(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): Promise<void> {
  console.log(`\n${signal}: ending what was started.`)
  endCommands()
  await ending.disposeAsync()
  process.exit(128 + constants.signals[signal])
}
