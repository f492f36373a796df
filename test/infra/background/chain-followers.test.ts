import { describe, expect, test } from 'vitest'
import { prodSettings } from '../../support/prod-settings.ts'
import { type ServiceTemplate, serviceTemplate } from '../../support/service-template.ts'

const followedChains = ['POLYGON', 'ARBITRUM_SEPOLIA']
const followed = serviceTemplate({ ...prodSettings, followedChains })
const { all, resources, outputs } = followed

/** The rules with a schedule. */
const schedulesOf = ({ all }: ServiceTemplate) =>
  all('AWS::Events::Rule')
    .map(([, { Properties }]) => Properties)
    .filter(({ ScheduleExpression }) => ScheduleExpression !== undefined)

const followers = all('AWS::Lambda::Function').filter(([, { Properties }]) =>
  Properties.FunctionName.includes('follow-chain'),
)

describe('D66: the followers of chains', () => {
  test('are one function for each followed chain', () => {
    expect(followers.map(([, { Properties }]) => Properties.FunctionName).toSorted()).toEqual([
      'PlayerNfts-prod-follow-chain-arbitrum-sepolia',
      'PlayerNfts-prod-follow-chain-polygon',
    ])
    for (const [, { Properties }] of followers) {
      expect(Properties).toMatchObject({
        ...{ MemorySize: 256, Timeout: 75, ReservedConcurrentExecutions: 2 },
      })
    }
  })

  test('reserve nothing in an account that has no executions for it', () => {
    const small = serviceTemplate({ ...prodSettings, followedChains, accountConcurrency: 10 })
    const reserved = small
      .all('AWS::Lambda::Function')
      .filter(([, { Properties }]) => Properties.ReservedConcurrentExecutions !== undefined)
    expect(reserved).toEqual([])
  })

  test('are invoked with their chain every minute, without retries', () => {
    const rules = schedulesOf(followed)
    const inputs = rules.map(({ ScheduleExpression, State, Targets }) => {
      const [{ Arn, Input, RetryPolicy }] = Targets
      const alias = resources[Arn.Ref]?.Properties
      const target = [resources[alias.FunctionName.Ref]?.Properties.FunctionName, alias.Name]
      return { ScheduleExpression, State, target, Input, RetryPolicy }
    })
    const minute = { ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' }
    const RetryPolicy = { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 }
    const names = ['polygon', 'arbitrum-sepolia']
    expect(inputs).toEqual(
      followedChains.map((chain, index) => ({
        ...{ ...minute, RetryPolicy, Input: JSON.stringify({ chain }) },
        target: [`PlayerNfts-prod-follow-chain-${names[index]}`, 'live'],
      })),
    )
    for (const [, { Properties }] of all('AWS::Lambda::EventInvokeConfig')) {
      expect(Properties).toMatchObject(RetryPolicy)
      // It is cut from the ARN of the alias.
      expect(JSON.stringify(Properties.Qualifier)).toMatch(/"Functionsfollowchain\w+Live/)
    }
    expect(all('AWS::Lambda::EventInvokeConfig')).toHaveLength(2)
  })

  test('have an alarm on the time since the last block, which is on while one of them does not run', () => {
    const alarms = all('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties)
    const alarm = alarms.find(({ AlarmName }) => AlarmName.endsWith('follower-lag'))
    expect(alarm).toMatchObject({ Threshold: 120, EvaluationPeriods: 3, DatapointsToAlarm: 2 })
    expect(alarm?.Metrics[0].Expression).toBe(
      'MAX([FILL(lag, 600), IF(FILL(runs0, 0) < 1, 600, 0), IF(FILL(runs1, 0) < 1, 600, 0)])',
    )
  })

  test('pause during maintenance', () => {
    const paused = serviceTemplate({ ...prodSettings, followedChains, maintenance: true })
    const states = schedulesOf(paused).map(({ State }) => State)
    expect(states).toEqual(['DISABLED', 'DISABLED'])
  })

  test('the deployment says what they cost in a month, and which networks they need', () => {
    expect(outputs['FollowingMonthlyCost'].Value).toBe(
      'about 75 US dollars for POLYGON, ARBITRUM_SEPOLIA',
    )
    expect(outputs['IndexerNetworks'].Value).toContain('arb-sepolia')
  })

  test('a deployment that follows no chain has nothing for it', () => {
    for (const settings of [prodSettings, { ...prodSettings, followedChains: [] }]) {
      const none = serviceTemplate(settings)
      expect(Object.keys(none.resources).filter((id) => /follow/i.test(id))).toEqual([])
      expect(schedulesOf(none)).toEqual([])
      expect(none.outputs['FollowingMonthlyCost']).toBeUndefined()
    }
  })
})
