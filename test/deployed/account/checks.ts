import assert from 'node:assert/strict'
import { samples } from '@player-nfts/local/samples'
import { heading } from '../../../scripts/count.ts'
import { type CdkOptions, cdkFor } from '../../../scripts/deploy-local/cdk.ts'
import { completeDeployment } from '../../../scripts/deploy-local/complete-deployment.ts'
import { smokeTest } from '../../../scripts/smoke-test/report.ts'
import { serviceAt } from '../../support/services/service.ts'
import { emulatedEdgeUrl, originSecretOf, type Site, settings } from '../deployment.ts'
import type { EmulatorRun } from '../emulator-run.ts'
import { generatedRequests, ministackExceptions, withoutSignIn } from '../exceptions.ts'
import { checkChanges, checkService, deployFirst } from '../service-checks.ts'
import { allowlist } from '../survival.ts'
import { checkShiftedUpdates, expectSavedQueries } from './account-only.ts'
import { indexerAssembly } from './indexer-stack.ts'
import { travellingLanternOf } from './travelling.ts'
import { bootstrapStack, stacksOf, statusOf } from './trial-parts.ts'
import { forwardTo, type Trial, type TrialPlace } from './trial-places.ts'

/** The settings of the stage: those of the deployment that the API tests call, and what only an account can show. */
export const trialSettings = (
  { place, stage, withoutCloudFront }: Pick<Trial, 'place' | 'stage' | 'withoutCloudFront'>,
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
  const { place, startedAt, withoutCloudFront } = trial
  const { emulator } = place
  heading('Deploy')
  const site = siteOf(trial, await deployIndexer(trial, cleanup))
  const deployment = await deployFirst(site)
  const service = serviceAt(deployment.target)
  await tally.check('D69: The smoke test passes, and tests the indexer', async () => {
    const apiKey = await service.newProduct()
    await allowlist(service, apiKey, samples.collections.keepers)
    const { playerToken } = await service.newPlayer(samples.players.oneWallet.wallets)
    const { checked, whyUntested } = await smokeTest(service.url, { apiKey, playerToken })
    assert.equal(checked.find(({ fault }) => fault)?.fault, undefined)
    assert.equal(whyUntested.indexer, undefined)
  })
  await checkService(run, deployment, {
    apiTests: emulator
      ? { exceptions: ministackExceptions, certificate: emulator.ministack.certificate }
      : // Two at a time stay below the concurrent executions of a small account.
        { exceptions: [generatedRequests, ...withoutSignIn], maxWorkers: 2 },
    traveller: () => travellingLanternOf(place, site.stackName, startedAt),
    hasEdge: !withoutCloudFront,
  })
  if (emulator) {
    console.log('Skipped, because MiniStack lacks them: saved queries, updates with CodeDeploy.')
  } else {
    await tally.check('CloudWatch Logs Insights runs each saved query', () =>
      expectSavedQueries(site),
    )
    await checkShiftedUpdates(site, deployment, tally)
  }
  const atOnce = { ...site, settings: { ...site.settings, trafficShift: 'none' } }
  const originSecret = withoutCloudFront ? undefined : await originSecretOf(place, site.stackName)
  await checkChanges(run, deployment, { site: atOnce, originSecret })
}

function siteOf(trial: Trial, indexerUrl: string): Site {
  const { place, stage, dir, withoutCloudFront } = trial
  const { emulator } = place
  const { service: stackName } = stacksOf(stage)
  const edgeUrlOf: Site['edgeUrlOf'] = emulator ? emulatedEdgeUrl : ({ EdgeUrl }) => EdgeUrl
  return {
    ...{ place, stackName, settings: trialSettings(trial, indexerUrl), login: place.aws },
    cdk: cdkFor(place, dir, stackName, cdkOptionsOf(place)),
    edgeUrlOf: withoutCloudFront ? () => '' : edgeUrlOf,
    complete: async (version) =>
      emulator && completeDeployment(emulator.python, emulator.ministack, version, stackName),
  }
}

/** A deployment that waits for CloudFront, CodeDeploy and a roll-back takes less than these seconds. */
const cdkOptionsOf = ({ emulator }: TrialPlace): CdkOptions =>
  emulator ? { seconds: 900 } : { adaptTemplates: async () => undefined, seconds: 5_400 }

/** Prepares the account for the CDK, unless somebody has done it, deploys the sample indexer, and returns its URL. */
async function deployIndexer(trial: Trial, cleanup: AsyncDisposableStack): Promise<string> {
  const { place, stage, dir, indexerPath } = trial
  const { emulator } = place
  const cdk = cdkFor(place, dir, stacksOf(stage).indexer, cdkOptionsOf(place))
  if (!(await statusOf(place, bootstrapStack))) await cdk.bootstrap()
  const version = { assembly: await indexerAssembly(trial) }
  const { FunctionUrl } = await cdk.deploy<{ FunctionUrl: string }>(version)
  const url = new URL(FunctionUrl)
  return `${emulator ? await forwardTo(url, emulator.ministack, cleanup) : url.origin}/${indexerPath}`
}
