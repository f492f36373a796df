import assert from 'node:assert/strict'
import { samples } from '../../local/samples/samples.ts'
import { expectDashboard } from '../../test/deployed/dashboard.ts'
import { deployVersion, setIndexerKey, targetNow } from '../../test/deployed/deployment.ts'
import { checkFollowing } from '../../test/deployed/following.ts'
import { faultsIn, playerOfProduct } from '../../test/deployed/smoke.ts'
import { newBelongings } from '../../test/deployed/survival.ts'
import type { Tally } from '../../test/deployed/tally.ts'
import { type Service, serviceAt } from '../../test/support/services/service.ts'
import type { Credentials } from '../smoke-test/credentials.ts'
import { smokeTest } from '../smoke-test/report.ts'
import { testApiApart } from './api-tests.ts'
import { failureLines } from './report.ts'
import type { Step } from './run-steps.ts'
import { runSavedQueries } from './saved-queries.ts'
import { travellingLanternOf } from './travelling.ts'
import { deployedIn, type Trial } from './trial.ts'

/** The steps that test the first version, in their order. */
export const testSteps: readonly Step<Trial>[] = [
  {
    name: 'Smoke test',
    minutes: 1,
    async run(trial, tally) {
      const { service } = deployedIn(trial)
      await checkSmoke(service, await playerOfProduct(service, await service.newProduct()), tally)
      return undefined
    },
  },
  {
    name: 'API tests',
    minutes: 8,
    async run(trial, tally) {
      const target = await targetNow(deployedIn(trial).deployment)
      const answer = await testApiApart({ target, options: trial.place.apiTests })
      tally.add(answer.count)
      return [
        ...answer.failures.flatMap(failureLines),
        ...answer.skipped.map((text) => `- ${text}`),
      ]
    },
  },
  {
    name: 'A followed chain',
    minutes: 25,
    async run(trial, tally) {
      await checkFollowing(deployedIn(trial).service, travellingLanternOf(trial), tally)
      return undefined
    },
  },
  {
    name: 'CloudFront and the dashboard',
    minutes: 1,
    async run(trial, tally) {
      const { deployment } = deployedIn(trial)
      await tally.check('The distribution passes credentials, queries and bodies', async () => {
        await newBelongings(serviceAt({ ...deployment.target, url: deployment.edgeUrl }))
      })
      await tally.check('D63: The distribution serves the dashboard', () =>
        expectDashboard(deployment),
      )
      return undefined
    },
  },
  {
    name: 'Saved queries',
    minutes: 3,
    needs: 'saved queries',
    async run(trial, tally) {
      const { place } = trial
      const { stackName } = deployedIn(trial).deployment
      let count = 0
      await tally.check('CloudWatch Logs Insights runs each saved query', async () => {
        count = await runSavedQueries(place, stackName)
        assert.ok(count > 0, 'there are no saved queries')
      })
      return [`${count} queries.`]
    },
  },
]

/** A public wallet of Ethereum and Polygon with many NFTs, and a contract of which it has some. */
const real = {
  wallet: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
  contract: '0x2953399124f0cbb46d2cbacd8a89cf0599974963',
  usdc: 'POLYGON:0x3c499c542cef5e3811e1192ce70d8cc03d5c3359:6:USDC',
}

/** With the owner's key of Alchemy, the service reads a wallet that exists. */
export const realWalletStep: Step<Trial> = {
  name: 'A real wallet',
  minutes: 4,
  whySkipped: ({ alchemyKey }) => (alchemyKey ? undefined : 'ALCHEMY_API_KEY is not set'),
  async run(trial, tally) {
    const { place, alchemyKey } = trial
    const { site, deployment } = deployedIn(trial)
    await setIndexerKey(place, deployment, alchemyKey)
    const { target } = await deployVersion(site, 'Alchemy', {
      // JSON leaves them out. Following a chain of Alchemy costs units.
      ...{ indexerUrl: undefined, followedChains: undefined },
      ...{ trafficShift: 'none', serviceToken: real.usdc },
    })
    const service = serviceAt(target)
    const apiKey = await service.newProduct()
    const body = {
      chain: samples.serviceToken.chain,
      contractAddress: real.contract,
      contractDescription: 'A contract of which the wallet has NFTs.',
      tokens: ['*'],
    }
    const { status, text } = await service.call('POST /product/tokens', { apiKey, body })
    assert.equal(status, 200, text)
    const { playerToken } = await service.newPlayer([real.wallet])
    await checkSmoke(service, { apiKey, playerToken }, tally)
    const read = await service.call('GET /player/tokens', { apiKey, playerToken })
    return [`The first page has ${read.json.data.length} NFTs.`]
  },
}

async function checkSmoke(
  { url }: Pick<Service, 'url'>,
  credentials: Credentials,
  tally: Tally,
): Promise<void> {
  await tally.check('D69: The smoke test passes, and tests the indexer', async () => {
    const { checked, whyUntested } = await smokeTest(url, credentials)
    assert.deepEqual(faultsIn(checked), [])
    assert.equal(whyUntested.indexer, undefined)
  })
}
