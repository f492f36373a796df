import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { smallQuota } from '../../../infra/api/gateway-quota.ts'
import { routeThrottles } from '../../../infra/api/throttles.ts'
import { reservedExecutions } from '../../../infra/settings/reserved-concurrency.ts'
import { deploymentSettings } from '../../../infra/settings/settings.ts'
import { settingsOf } from '../../../scripts/account-trial/deploy-steps.ts'
import { costs, describeTrial, totalMinutes } from '../../../scripts/account-trial/description.ts'
import { runSteps, type Step } from '../../../scripts/account-trial/run-steps.ts'
import { isTrialStage, newStage } from '../../../scripts/account-trial/stage.ts'
import { steps } from '../../../scripts/account-trial/steps.ts'
import { neededConcurrency } from '../../../scripts/account-trial/trial-place.ts'

// The steps print checks that fail, which the gate would list as failures.
beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
})

const here = { lacks: [], interrupted: new AbortController().signal }

const step = (name: string, more: Partial<Step<string[]>> = {}): Step<string[]> => ({
  name,
  minutes: 1,
  async run(made) {
    made.push(name)
    return undefined
  },
  ...more,
})

const outcomes = (results: Awaited<ReturnType<typeof runSteps>>) =>
  results.map(({ name, outcome, reason }) => [name, outcome, reason].filter(Boolean).join(', '))

describe('the steps of a trial', () => {
  test('are made in their order, also after a check that fails', async () => {
    const made: string[] = []
    const failing = step('b', {
      async run(_, tally) {
        await tally.check('holds', () => undefined)
        await tally.check('does not hold', () => {
          throw new Error('no')
        })
        return ['a line']
      },
    })
    const results = await runSteps([step('a'), failing, step('c')], made, here)
    expect(outcomes(results)).toEqual(['a, passed', 'b, failed', 'c, passed'])
    expect(made).toEqual(['a', 'c'])
    expect(results[1]).toMatchObject({ tests: { passed: 0, failed: 0 }, lines: ['a line'] })
    expect(results[1]?.checks.map(({ title }) => title)).toEqual(['holds', 'does not hold'])
  })

  test('end with an error', async () => {
    const made: string[] = []
    const broken = step('a', { run: () => Promise.reject(new Error('CREATE_FAILED')) })
    expect(outcomes(await runSteps([broken, step('b')], made, here))).toEqual([
      'a, failed, CREATE_FAILED',
      'b, not run',
    ])
    expect(made).toEqual([])
  })

  test('end with an interruption, which waits for the step', async () => {
    const interruption = new AbortController()
    const ended: string[] = []
    const long = step('a', {
      async run() {
        interruption.abort()
        await new Promise((resolve) => setTimeout(resolve, 20))
        ended.push('a')
        return undefined
      },
    })
    const interrupted = { lacks: [], interrupted: interruption.signal }
    const results = await runSteps([long, step('b')], ended, interrupted)
    expect(outcomes(results)).toEqual(['a, failed, interrupted', 'b, not run'])
    expect(ended).toEqual(['a'])
  })

  test('go no further after a check that an interruption has ended', async () => {
    const interruption = new AbortController()
    const made: string[] = []
    const checking = step('a', {
      async run(_, tally) {
        await tally.check('deploys', () => {
          interruption.abort()
          throw new Error('cdk deploy was killed by SIGKILL')
        })
        made.push('a table')
        return undefined
      },
    })
    const interrupted = { lacks: [], interrupted: interruption.signal }
    const [result] = await runSteps([checking], made, interrupted)
    expect(result).toMatchObject({ outcome: 'failed', reason: 'interrupted', checks: [] })
    expect(made).toEqual([])
  })

  test('that need what a place lacks are skipped by name', async () => {
    const needy = step('a', { needs: 'CodeDeploy' })
    const choosy = step('b', { whySkipped: () => 'there is no key' })
    const results = await runSteps([needy, choosy], [], { ...here, lacks: ['CodeDeploy'] })
    expect(outcomes(results)).toEqual([
      'a, skipped, no CodeDeploy here',
      'b, skipped, there is no key',
    ])
  })

  test('have different names, and only known parts of a place are missing in an emulator', () => {
    const names = steps.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(steps.flatMap(({ needs }) => needs ?? []).toSorted()).toEqual([
      'CodeDeploy',
      'CodeDeploy',
      'composite alarms',
      'figures',
      'figures',
      'saved queries',
    ])
  })
})

describe('the description of a trial', () => {
  const place = {
    account: '210987654321',
    aws: { region: 'eu-central-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } },
    title: 'an AWS account in eu-central-1',
    isAccount: true,
    lacks: [],
    removalOf: (stage: string) => `npm run account-trial -- --profile trial --remove ${stage}`,
  }
  const stage = 'trial-a1b2c3'
  const text = describeTrial(place, { stage, alchemyKey: 'key' }).join('\n')

  test('names every step, the stacks, and what to do after a kill', () => {
    for (const { name } of steps) expect(text).toContain(`- ${name} (`)
    expect(text).toContain('- Remove everything (')
    expect(text).toContain('the stack PlayerNfts-trial-a1b2c3:')
    expect(text).toContain('the stack PlayerNfts-trial-a1b2c3-indexer:')
    expect(text).toContain('npm run account-trial -- --profile trial --remove trial-a1b2c3')
  })

  test('says which steps will be skipped, and why', () => {
    const lacking = { ...place, lacks: ['CodeDeploy'] as const }
    const lines = describeTrial(lacking, { stage, alchemyKey: undefined })
    expect(lines).toContain('- A bad update turns back: skipped, no CodeDeploy here')
    expect(lines).toContain('- A real wallet: skipped, ALCHEMY_API_KEY is not set')
  })

  test('says a cost of less than a dollar, and a time between two and three hours', () => {
    const dollars = costs.reduce((sum, [, each]) => sum + each, 0)
    expect(dollars).toBeLessThan(1)
    expect(Math.floor(totalMinutes() / 60)).toBe(2)
    expect(text).toContain(`It takes about 2 hours and ${totalMinutes() % 60} minutes`)
    expect(text).toContain(`and costs about ${dollars.toFixed(2)} dollars:`)
  })
})

test('the settings of a trial can be deployed, also with the fewest concurrent executions', () => {
  const aws = { region: 'eu-central-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } }
  const place = { account: '210987654321', aws, concurrency: neededConcurrency }
  const trial = { place, stage: newStage(), made: { indexerUrl: 'https://indexer.example/path' } }
  const settings = deploymentSettings(settingsOf(trial) as Record<string, unknown>)
  expect(settings).toMatchObject({
    ...{ account: '210987654321', region: 'eu-central-1', trafficShift: 'canary', edge: {} },
    ...{ dashboard: true, followedChains: ['POLYGON'], keepData: false },
    indexerUrl: 'https://indexer.example/path',
  })
  expect(reservedExecutions(settings)).toBe(0)
  // A trial of one machine never waits for a throttle of a route without a key.
  for (const { burstLimit } of Object.values(routeThrottles(settings, smallQuota))) {
    expect(burstLimit).toBeGreaterThanOrEqual(10)
  }
})

test('the stage of a trial has six random characters', () => {
  const stages = Array.from({ length: 100 }, newStage)
  expect(stages.every(isTrialStage)).toBe(true)
  expect(new Set(stages).size).toBe(100)
})
