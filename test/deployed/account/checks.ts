import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { paginateListSecrets, SecretsManager } from '@aws-sdk/client-secrets-manager'
import { heading } from '../../../scripts/count.ts'
import { type CdkOptions, cdkCommand, cdkFor } from '../../../scripts/deploy-local/cdk.ts'
import { completeDeployment } from '../../../scripts/deploy-local/complete-deployment.ts'
import { smokeTest } from '../../../scripts/smoke-test/report.ts'
import { serviceAt } from '../../support/services/service.ts'
import { listed } from '../aws-lists.ts'
import { emulatedEdgeUrl, type Site, settings } from '../deployment.ts'
import type { EmulatorRun } from '../emulator-run.ts'
import { generatedRequests, ministackExceptions, withoutSignIn } from '../exceptions.ts'
import { checkChanges, checkService, deployFirst } from '../service-checks.ts'
import { faultsIn, playerOfProduct } from '../smoke.ts'
import { checkShiftedUpdates, expectSavedQueries } from './account-only.ts'
import { travellingLanternOf } from './travelling.ts'
import { bootstrapStack, stacksOf, statusOf } from './trial-parts.ts'
import { forwardTo, type TrialPlace } from './trial-places.ts'

const root = join(import.meta.dirname, '../../..')

/** What a trial tests. It is passed to another process, so it is JSON. */
export interface Trial {
  readonly place: TrialPlace
  readonly stage: string
  /** The folder of all files that the trial writes. */
  readonly dir: string
  /** When the journey of the lantern begins, in milliseconds since 1970. */
  readonly startedAt: number
  /** The secret path of the sample indexer. */
  readonly indexerPath: string
  readonly withoutCloudFront: boolean
}

/** What the settings of a trial depend on. */
interface Asked extends Pick<Trial, 'stage' | 'withoutCloudFront'> {
  readonly place: Pick<TrialPlace, 'account' | 'aws' | 'concurrency'>
}

/** The settings of the stage: those of the deployment that the API tests call, and what only an account can show. */
export const trialSettings = (
  { place, stage, withoutCloudFront }: Asked,
  indexerUrl: string,
): object => ({
  ...settings,
  ...{ stage, protection: 'dev', account: place.account, region: place.aws.region },
  indexerUrl,
  trafficShift: 'canary',
  // Nothing is reserved in this stage. The throttles of a smaller account would refuse what the trial itself sends.
  accountConcurrency: Math.max(1_000, place.concurrency),
  // The API tests call from one machine, and no call to the sample indexer takes long.
  slowestOpenCallSeconds: 1,
  ...(withoutCloudFront && { edge: undefined, dashboard: false }),
})

/** Deploys the service to the place of a trial, and makes the checks of the deployment test there. Removes nothing. */
export async function checkTrial(run: EmulatorRun, trial: Trial): Promise<void> {
  const { tally, cleanup } = run
  const { place, stage, startedAt, withoutCloudFront } = trial
  const { emulator } = place
  heading('Deploy')
  const site = siteOf(trial, await deployIndexer(trial, cleanup))
  const deployment = await deployFirst(site)
  const service = serviceAt(deployment.target)
  await tally.check('D69: The smoke test passes, and tests the indexer', async () => {
    const credentials = await playerOfProduct(service, await service.newProduct())
    const { checked, whyUntested } = await smokeTest(service.url, credentials)
    assert.deepEqual(faultsIn(checked), [])
    assert.equal(whyUntested.indexer, undefined)
  })
  await checkService(run, deployment, {
    apiTests: emulator
      ? { exceptions: ministackExceptions, certificate: emulator.ministack.certificate }
      : // Two at a time stay below the concurrent executions of a small account.
        { exceptions: [generatedRequests, ...withoutSignIn], maxWorkers: 2 },
    traveller: () => travellingLanternOf(place, { stackName: site.stackName, startedAt }),
    hasEdge: !withoutCloudFront,
  })
  if (emulator) {
    console.log('Skipped, because MiniStack lacks them: saved queries, updates with CodeDeploy.')
  } else {
    await tally.check('CloudWatch Logs Insights runs each saved query', () =>
      expectSavedQueries(place, site.stackName),
    )
    await checkShiftedUpdates(site, deployment, tally)
  }
  const atOnce = { ...site, settings: { ...site.settings, trafficShift: 'none' } }
  const originSecret = withoutCloudFront ? undefined : await originSecretOf(place, stage)
  await checkChanges(run, deployment, { site: atOnce, originSecret })
}

function siteOf(trial: Trial, indexerUrl: string): Site {
  const { place, stage, dir, withoutCloudFront } = trial
  const { emulator } = place
  const { service: stackName } = stacksOf(stage)
  const edgeUrlOf: Site['edgeUrlOf'] = emulator ? emulatedEdgeUrl : ({ EdgeUrl }) => EdgeUrl
  // A deployment that waits for CloudFront, CodeDeploy and a roll-back takes less than this.
  const options: CdkOptions = emulator
    ? { seconds: 900 }
    : { adaptTemplates: async () => undefined, seconds: 5_400 }
  return {
    ...{ place, stackName, settings: trialSettings(trial, indexerUrl), login: place.aws },
    cdk: cdkFor(place, dir, stackName, options),
    edgeUrlOf: withoutCloudFront ? () => '' : edgeUrlOf,
    complete: async (version) =>
      emulator && completeDeployment(emulator.python, emulator.ministack, version, stackName),
  }
}

/** Prepares the account for the CDK, unless somebody has done it, deploys the sample indexer, and returns its URL. */
async function deployIndexer(trial: Trial, cleanup: AsyncDisposableStack): Promise<string> {
  const { place, stage, dir, indexerPath, startedAt } = trial
  const { account, aws, emulator } = place
  const cdk = cdkCommand(place, dir, 1_800)
  if (!(await statusOf(place, bootstrapStack))) {
    await cdk(dir, 'bootstrap', `aws://${account}/${aws.region}`)
  }
  const assembly = join(dir, 'indexer')
  const context = JSON.stringify({ stage, indexerPath, startedAt, dir })
  const app = `"${process.execPath}" test/deployed/account/indexer-app.ts`
  const synthesized = ['--quiet', '--app', app, '--output', assembly, '-c', `indexer=${context}`]
  await cdk(root, 'synth', ...synthesized)
  const outputsFile = join(assembly, 'outputs.json')
  const options = ['--require-approval', 'never', '--outputs-file', outputsFile]
  await cdk(dir, 'deploy', '--app', assembly, ...options)
  const outputs = JSON.parse(await readFile(outputsFile, 'utf8'))
  const url = new URL(outputs[stacksOf(stage).indexer].FunctionUrl)
  return `${emulator ? await forwardTo(url, emulator.ministack, cleanup) : url.origin}/${indexerPath}`
}

/** The secret that the distribution sends (D54). CloudFormation names a secret after its logical id. */
async function originSecretOf({ aws }: TrialPlace, stage: string): Promise<string> {
  const client = new SecretsManager(aws)
  const secrets = await listed(paginateListSecrets({ client }, {}), (page) => page.SecretList)
  const origin = secrets.find(
    ({ Description, Tags = [] }) =>
      Tags.some(({ Key, Value }) => Key === 'stage' && Value === stage) &&
      Description?.startsWith('The header with which CloudFront'),
  )
  if (!origin) throw new Error(`${stage} has no secret of its distribution.`)
  const { SecretString } = await client.getSecretValue({ SecretId: origin.ARN })
  return `${SecretString}`
}
