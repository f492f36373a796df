import { heading } from '../../scripts/count.ts'
import { setIndexerKey } from '../../scripts/deploy-local/complete-deployment.ts'
import { serviceAt } from '../support/services/service.ts'
import { type ApiTestOptions, testApi } from './api-tests.ts'
import { expectDashboard } from './dashboard.ts'
import { type Deployment, deployVersion, type Site } from './deployment.ts'
import type { EmulatorRun } from './emulator-run.ts'
import { checkFollowing, type Traveller } from './following.ts'
import { checkRecovery } from './recovery.ts'
import { newBelongings } from './survival.ts'
import { checkUpdates, type Update } from './updates.ts'

/** What the checks of a deployed service need of its place. */
export interface Checking {
  readonly apiTests: ApiTestOptions
  traveller(): Traveller
  /** Whether the deployment has a distribution. */
  readonly hasEdge: boolean
}

/** Deploys the first version of the service, with a key of its indexer. */
export async function deployFirst(site: Site): Promise<Deployment> {
  const deployment = await deployVersion(site, 'first version')
  await setIndexerKey(site.place, deployment)
  return deployment
}

/** Runs the API tests, moves an NFT on a followed chain, and calls the service through its distribution. */
export async function checkService(
  run: EmulatorRun,
  deployment: Deployment,
  { apiTests, traveller, hasEdge }: Checking,
): Promise<void> {
  const { tally } = run
  await testApi(run, deployment.target, apiTests)
  await checkFollowing(serviceAt(deployment.target), traveller(), tally)
  if (!hasEdge) return
  await tally.check('The distribution passes credentials, queries and bodies', async () => {
    await newBelongings(serviceAt({ ...deployment.target, url: deployment.edgeUrl }))
  })
  await tally.check('D63: The distribution serves the dashboard', () => expectDashboard(deployment))
}

/** Rotates the keys with three updates, takes retained keys back, rolls back, and restores the table. */
export async function checkChanges(
  { tally }: Pick<EmulatorRun, 'tally'>,
  deployment: Deployment,
  { site, originSecret }: { site: Site; originSecret: string | undefined },
): Promise<void> {
  heading('Update')
  const update: Update = async (...version) =>
    serviceAt((await deployVersion(site, ...version)).target)
  const service = serviceAt(deployment.target)
  const belongings = await checkUpdates(service, update, { tally, originSecret })
  await checkRecovery({ place: site.place, deployment, belongings }, update, tally)
}
