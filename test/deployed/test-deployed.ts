// `npm run test:deployed`: tests the deployment.
//
// Deploys the stack with the CDK CLI to MiniStack, an AWS emulator on this machine, runs the API tests
// against the deployed URL, moves an NFT on a followed chain, rotates the keys with three updates of the stack,
// takes retained keys back, restores the table, rolls back, and removes the stack. Deploys the stage prod, removes it,
// and makes it again. With --nested, tests the nested stacks (D147) and npm start on the emulator, and with --sign-in, sign-in
// with wallets (D113), and nothing else. Needs Python 3.10 or later, curl and jq, and no AWS account: with --account, an owner of
// one makes a trial there (docs/account-trial.md).
// The last line of standard output counts the API tests and the checks of this script: `N passed, N failed`, followed by
// `, N skipped` if any were skipped. The exit code is 0 only if at least one test passed and none failed.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { helpIfAsked } from '@player-nfts/local/help'
import { startIndexerServer } from '@player-nfts/local/indexer/indexer-server'
import { sampleWorld } from '@player-nfts/local/samples/sample-world'
import { heading } from '../../scripts/count.ts'
import { cdkFor } from '../../scripts/deploy-local/cdk.ts'
import { startMinistack } from '../../scripts/deploy-local/ministack.ts'
import {
  ministackProgram,
  pythonEnvironment,
} from '../../scripts/deploy-local/python-environment.ts'
import { accountArguments, accountHelp } from './account/arguments.ts'
import { testAccount } from './account/test-account.ts'
import { checkCliCommands } from './cli-commands.ts'
import { expectNoBuckets } from './dashboard.ts'
import {
  deployVersion,
  type Environment,
  emulatorSite,
  makeLoginRole,
  originSecretOf,
} from './deployment.ts'
import { type EmulatorRun, runOnEmulator } from './emulator-run.ts'
import { ministackExceptions } from './exceptions.ts'
import { travellerIn } from './following.ts'
import { checkNestedStacks, type WithNestedStacks } from './nested-stacks.ts'
import { checkNpmStart } from './npm-start.ts'
import { checkProduction } from './production.ts'
import { deleteRetained } from './recovery.ts'
import { expectNoDeadLetters, expectRemoved } from './removal.ts'
import { checkChanges, checkService, deployFirst } from './service-checks.ts'
import { expectNoErrors } from './stack-logs.ts'
import { lintTemplates, writeVariants } from './templates.ts'
import { checkWalletSignIn } from './wallet-sign-in.ts'

helpIfAsked([
  'Usage: npm run test:deployed [-- --nested | --sign-in | --account …]',
  '',
  'Deploys the stack to an AWS emulator on this machine, tests it, updates it and removes it.',
  'Needs Python 3.10 or later, curl and jq, and no AWS account.',
  '',
  '  --nested   test only nested stacks: updates that fail in them, a roll-back, each setting off and on; and npm start',
  '  --sign-in  test only sign-in with wallets',
  '',
  ...accountHelp,
])

const args = process.argv.slice(2)
if (args.some((option) => /^--(account|region|profile|remove|without-cloudfront)\b/.test(option)))
  await testInAccount()

const trials: Readonly<Record<string, (run: EmulatorRun) => Promise<void>>> = {
  '--nested': testNestedStacks,
  '--sign-in': async (run) => checkWalletSignIn(await onEmulator(run), run.tally),
}
const [trial = testDeployment] = args.flatMap((option) => trials[option] ?? [])

await runOnEmulator(trial)

async function testInAccount(): Promise<never> {
  try {
    process.exit((await testAccount(accountArguments(args))) ? 0 : 1)
  } catch (error) {
    console.error((error as Error).message)
    process.exit(2)
  }
}

async function testDeployment(run: EmulatorRun): Promise<void> {
  const { tally, cleanup } = run
  const { python, dir } = await prepare(run)
  // Beside the deployment, which mostly waits for the emulator.
  const linted = lintTemplates(python, ...writeVariants(dir))
  const lintEnded = linted.catch(() => undefined)
  cleanup.defer(() => lintEnded)
  const world = sampleWorld()
  const indexer = await startIndexerServer({ world })
  cleanup.defer(() => indexer.close())
  const environment = await startEmulator(run, { python, dir, indexerUrl: indexer.url })
  const { ministack, cdk } = environment
  const site = emulatorSite(environment)
  const deployment = await deployFirst(site)
  await tally.check('The AWS CLI has the commands of the documentation and of the alarms', () =>
    checkCliCommands(python, deployment),
  )
  await checkService(run, deployment, {
    apiTests: { certificate: ministack.certificate, exceptions: ministackExceptions },
    // The API tests count the NFTs of the world.
    traveller: () => travellerIn(world, indexer),
    hasEdge: true,
  })
  await tally.check('No function has logged an error', () =>
    expectNoErrors(ministack, deployment.stackName),
  )

  const originSecret = await originSecretOf(ministack, deployment.stackName)
  await checkChanges(run, deployment, { site, originSecret })
  await tally.check('The dead-letter queue is empty', () =>
    expectNoDeadLetters(ministack, deployment),
  )

  heading('Remove')
  await cdk.destroy(deployment)
  await deleteRetained(ministack, deployment)
  await tally.check('Only keys that are pending deletion remain', () =>
    expectRemoved(ministack, deployment),
  )
  await tally.check('No bucket remains', () => expectNoBuckets(ministack))

  await tally.check('cfn-lint has no findings in any variant of the settings', () => linted)

  heading('Production')
  await checkProduction(environment, dir, run)
}

/** Deploys to an emulator of its own, with the indexer of the sample world. */
async function onEmulator(run: EmulatorRun) {
  const installed = await prepare(run)
  const indexer = await startIndexerServer({ world: sampleWorld() })
  run.cleanup.defer(() => indexer.close())
  const environment = await startEmulator(run, { ...installed, indexerUrl: indexer.url })
  const site = emulatorSite(environment)
  const deploy: WithNestedStacks['deploy'] = (...version) => deployVersion(site, ...version)
  return { ...{ installed, deploy }, place: environment.ministack, cdk: environment.cdk }
}

async function testNestedStacks(run: EmulatorRun): Promise<void> {
  const { installed, ...stack } = await onEmulator(run)
  await checkNestedStacks(stack, run.tally)
  await checkNpmStart(installed, run.tally)
}

/** Installs the emulator, and returns its Python and a folder for the run. */
async function prepare({ cleanup }: EmulatorRun): Promise<{ python: string; dir: string }> {
  heading('Install the emulator')
  const python = await pythonEnvironment(ministackProgram)
  heading('Deploy')
  const dir = await mkdtemp(join(tmpdir(), 'player-nfts-deployed-'))
  cleanup.defer(() => rm(dir, { recursive: true, force: true }))
  return { python, dir }
}

/** Starts the emulator, with what the CDK needs and the role of the login. */
async function startEmulator(
  { cleanup }: EmulatorRun,
  { python, dir, indexerUrl }: { python: string; dir: string; indexerUrl: string },
): Promise<Environment> {
  const ministack = await startMinistack(python, dir)
  cleanup.defer(() => ministack.close())
  const cdk = cdkFor(ministack, dir)
  await cdk.bootstrap()
  const login = await makeLoginRole(python, ministack)
  return { python, ministack, cdk, indexerUrl, login }
}
