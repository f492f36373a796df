import { expect, test } from 'vitest'
import { smallQuota } from '../../../infra/api/stage-throttles.ts'
import { routeThrottles } from '../../../infra/api/throttles.ts'
import { reservedExecutions } from '../../../infra/settings/reserved-concurrency.ts'
import { deploymentSettings } from '../../../infra/settings/settings.ts'
import { during } from '../../deployed/account/account-only.ts'
import { accountArguments } from '../../deployed/account/arguments.ts'
import { trialSettings } from '../../deployed/account/checks.ts'
import { newStage } from '../../deployed/account/trial-parts.ts'
import { neededConcurrency } from '../../deployed/account/trial-places.ts'

const inAccount = ['--account', '210987654321', '--region', 'eu-central-1']

test.each([
  [['--account', '210987654321'], 'Name the Region with --region.'],
  [['--account', '12', '--region', 'eu-central-1'], '--account must be the 12 digits of an AWS'],
  ...['prod', 'trial-', 'trial-A1B2C3', 'trial-a1b2c3-indexer'].map((stage) => [
    [...inAccount, '--remove', stage],
    `--remove must be the stage of a trial, such as trial-a1b2c3: ${stage}.`,
  ]),
  [['--account', 'emulator', '--region', 'eu-central-1'], '--account emulator takes no other'],
  [['--account', 'emulator', '--remove', 'trial-a1b2c3'], '--account emulator takes no other'],
] as [string[], string][])('%j is refused', (args, sentence) => {
  expect(() => accountArguments(args)).toThrow(sentence)
})

test.each([true, false])(
  'the settings of a trial can be deployed, without CloudFront: %s',
  (withoutCloudFront) => {
    const aws = { region: 'eu-central-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } }
    // The fewest concurrent executions.
    const place = { account: '210987654321', aws, concurrency: neededConcurrency }
    const trial = { place, stage: newStage(), withoutCloudFront }
    const written = JSON.stringify(trialSettings(trial, 'https://indexer.example/path'))
    const settings = deploymentSettings(JSON.parse(written))
    expect(settings).toMatchObject({
      ...{ account: '210987654321', region: 'eu-central-1', trafficShift: 'canary' },
      ...{ followedChains: ['POLYGON'], keepData: false, dashboard: !withoutCloudFront },
      indexerUrl: 'https://indexer.example/path',
    })
    expect(settings.edge).toEqual(withoutCloudFront ? undefined : expect.anything())
    expect(reservedExecutions(settings)).toBe(0)
    // A trial of one machine never waits for a throttle of a route without a key.
    for (const { burstLimit } of Object.values(routeThrottles(settings, smallQuota))) {
      expect(burstLimit).toBeGreaterThanOrEqual(10)
    }
  },
)

test('reads go on until a deployment ends, and those that fail are counted', async () => {
  const statuses = [200, 503, 404]
  const deploying = Promise.withResolvers<void>()
  const { error, failures } = await during(deploying.promise, async () => {
    const status = statuses.shift()
    if (status !== undefined) return status
    deploying.reject(new Error('UPDATE_ROLLBACK_COMPLETE'))
    throw new Error('no answer')
  })
  expect([error?.message, failures]).toEqual(['UPDATE_ROLLBACK_COMPLETE', 2])
})
