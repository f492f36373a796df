import assert from 'node:assert/strict'
import { deployVersion } from '../../test/deployed/deployment.ts'
import { checkRecovery } from '../../test/deployed/recovery.ts'
import { checkUpdates, type Update } from '../../test/deployed/updates.ts'
import { serviceAt } from '../../test/support/services/service.ts'
import { statusOf } from './account-place.ts'
import { alarmsOf } from './alarms.ts'
import { originSecretOf } from './origin-secret.ts'
import type { Step } from './run-steps.ts'
import { stacksOf } from './stage.ts'
import { duringTraffic, type Traffic } from './traffic.ts'
import { deployedIn, type Trial } from './trial.ts'

/** Deploys over the last version, all traffic at once: two steps show how traffic is shifted. */
const updateOf = (trial: Trial): Update => {
  const { site } = deployedIn(trial)
  return async (name, changes, changeTemplates) => {
    const atOnce = { trafficShift: 'none', ...changes }
    return serviceAt((await deployVersion(site, name, atOnce, changeTemplates)).target)
  }
}

/** The steps that update the service, in their order. */
export const updateSteps: readonly Step<Trial>[] = [
  {
    name: 'An update with canary',
    minutes: 9,
    needs: 'CodeDeploy',
    async run(trial, tally) {
      const changes = { allowlistChains: ['POLYGON', 'BSC', 'AMOY'] }
      const { traffic, error } = await shiftTraffic(trial, 'canary', changes)
      await tally.check('D69: An update shifts the traffic, and no request fails', () => {
        if (error) throw error
        assert.equal(traffic.failures, 0)
      })
      return [sentDuring(traffic)]
    },
  },
  {
    name: 'A bad update turns back',
    minutes: 12,
    needs: 'CodeDeploy',
    async run(trial, tally) {
      // In maintenance, every answer that needs the table is 503 (D44).
      const shifted = await shiftTraffic(trial, 'bad update', { maintenance: true })
      const { traffic, error, statusNow } = shifted
      await tally.check('D69: An update whose answers fail turns back', async () => {
        assert.ok(error, 'the update has succeeded')
        const { service: stackName } = stacksOf(trial.stage)
        assert.equal(await statusOf(trial.place, stackName), 'UPDATE_ROLLBACK_COMPLETE')
        assert.ok(
          traffic.failures > 0,
          'no request has failed, so nothing shows why it turned back',
        )
        assert.equal(await statusNow(), 200)
      })
      return [sentDuring(traffic)]
    },
  },
  {
    name: 'Rotation of both signing keys',
    minutes: 14,
    async run(trial, tally) {
      const { service } = deployedIn(trial)
      const originSecret = await originSecretOf(trial.place, trial.stage)
      trial.made.belongings = await checkUpdates(service, updateOf(trial), { tally, originSecret })
      return undefined
    },
  },
  {
    name: 'Roll-back and restore',
    minutes: 32,
    async run(trial, tally) {
      const { deployment } = deployedIn(trial)
      const { belongings } = trial.made
      assert.ok(belongings)
      await checkRecovery({ place: trial.place, deployment, belongings }, updateOf(trial), tally)
      return undefined
    },
  },
  {
    name: 'Composite alarms',
    minutes: 1,
    needs: 'composite alarms',
    async run({ place, stage }, tally) {
      const { composite, ringing } = await alarmsOf(place, stacksOf(stage).service)
      await tally.check('CloudWatch has the composite alarms', () => assert.ok(composite > 0))
      return [`${composite} composite alarms. In alarm: ${ringing.join(', ') || 'none'}.`]
    },
  },
]

/** Deploys a version with canary, while a client calls again and again. Never rejects because of the deployment. */
async function shiftTraffic(trial: Trial, version: string, changes: object) {
  const { site, service } = deployedIn(trial)
  const apiKey = await service.newProduct()
  const deploying = () => deployVersion(site, version, changes)
  const shifted = await duringTraffic(service, apiKey, deploying)
  // Of an operation that moves at once (D148).
  const statusNow = async () => (await service.call('GET /product', { apiKey })).status
  return { ...shifted, statusNow }
}

const sentDuring = ({ requests, failures }: Traffic): string =>
  `${requests} requests during the update, of which ${failures} failed.`
