import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cdkCommand, cdkFor, type Version } from '../../test/deployed/cdk.ts'
import { deployVersion, setIndexerKey, settings } from '../../test/deployed/deployment.ts'
import { statusOf } from './account-place.ts'
import type { Step } from './run-steps.ts'
import { bootstrapStack, stacksOf } from './stage.ts'
import type { Trial } from './trial.ts'
import type { TrialPlace } from './trial-place.ts'

const root = join(import.meta.dirname, '../..')

/** The steps that deploy, in their order. */
export const deploySteps: readonly Step<Trial>[] = [
  {
    name: 'Prepare the account for the CDK',
    minutes: 2,
    async run({ place, dir }) {
      if (await statusOf(place, bootstrapStack)) return ['It was prepared already.']
      const { account, aws } = place
      const cdk = cdkCommand(place, dir, 1_800)
      await cdk(dir, 'bootstrap', `aws://${account}/${aws.region}`)
      return [`The trial has created the stack ${bootstrapStack}, which stays.`]
    },
  },
  {
    name: 'Deploy the sample indexer',
    minutes: 2,
    async run(trial) {
      const url = await trial.place.functionUrl(await deployIndexer(trial))
      trial.made.indexerUrl = `${url}/${trial.indexerPath}`
      return undefined
    },
  },
  {
    name: 'Deploy the service',
    minutes: 10,
    async run(trial) {
      const { place, stage, dir, made } = trial
      const { service: stackName } = stacksOf(stage)
      const { complete, edgeUrlOf } = place
      const site = {
        place,
        cdk: cdkFor(place, dir, stackName, place.cdkOptions),
        stackName,
        settings: settingsOf(trial),
        login: place.aws,
        ...(complete && { complete: (version: Version) => complete(version, stackName) }),
        edgeUrlOf,
      } satisfies Trial['made']['site']
      made.site = site
      made.deployment = await deployVersion(site, 'first version')
      await setIndexerKey(place, made.deployment)
      return undefined
    },
  },
]

/** What the settings follow from. */
interface Configured extends Pick<Trial, 'stage' | 'made'> {
  readonly place: Pick<TrialPlace, 'account' | 'aws' | 'concurrency'>
}

/** The settings of the stage: those of the deployment that the API tests call, and what only an account can show. */
export const settingsOf = ({ place, stage, made }: Configured): object => ({
  ...settings,
  ...{ stage, protection: 'dev', account: place.account, region: place.aws.region },
  indexerUrl: made.indexerUrl,
  trafficShift: 'canary',
  // Nothing is reserved in this stage. The throttles of a smaller account would refuse what the trial itself sends.
  accountConcurrency: Math.max(1_000, place.concurrency),
  // The API tests call from one machine, and no call to the sample indexer takes long.
  slowestOpenCallSeconds: 1,
})

/** Deploys the stack of the sample indexer, and returns its function URL. */
async function deployIndexer(trial: Trial): Promise<string> {
  const { place, stage, dir, indexerPath: path, startedAt } = trial
  const cdk = cdkCommand(place, dir, 1_800)
  const { indexer: stackName } = stacksOf(stage)
  const assembly = join(dir, 'indexer')
  const props = JSON.stringify({ stage, path, startedAt, functionsDir: join(dir, 'functions') })
  const app = `"${process.execPath}" scripts/account-trial/indexer-app.ts`
  await cdk(root, 'synth', '--quiet', '--app', app, '--output', assembly, '-c', `indexer=${props}`)
  const outputsFile = join(assembly, 'outputs.json')
  const options = ['--require-approval', 'never', '--outputs-file', outputsFile]
  await cdk(dir, 'deploy', '--app', assembly, ...options)
  return JSON.parse(await readFile(outputsFile, 'utf8'))[stackName].FunctionUrl
}
