import { describe, expect, test } from 'vitest'
import { coveredChains } from '../../../lib/domain/nft/chain.ts'
import { prodSettings } from '../../support/prod-settings.ts'
import { type Json, type ServiceTemplate, serviceTemplate } from '../../support/service-template.ts'

const followedChains = ['POLYGON', 'ARBITRUM_SEPOLIA']
const followed = serviceTemplate({ ...prodSettings, followedChains })
const { all, resources, outputs } = followed

/** The rules with a schedule. */
const schedulesOf = ({ all }: ServiceTemplate) =>
  all('AWS::Events::Rule')
    .map(([, { Properties }]) => Properties)
    .filter(({ ScheduleExpression }) => ScheduleExpression !== undefined)

const followersOf = ({ all }: ServiceTemplate) =>
  all('AWS::Lambda::Function')
    .map(([, { Properties }]) => Properties)
    .filter(({ FunctionName }) => FunctionName.includes('follow'))

describe('D152: the follower of all chains', () => {
  test('is one function, which knows the chains of the setting', () => {
    const [follower, ...others] = followersOf(followed)
    expect(others).toEqual([])
    expect(follower).toMatchObject({
      FunctionName: 'PlayerNfts-prod-follow-chains',
      ...{ MemorySize: 256, Timeout: 75, ReservedConcurrentExecutions: 2 },
      Environment: { Variables: { FOLLOWED_CHAINS: 'POLYGON,ARBITRUM_SEPOLIA' } },
    })
  })

  test('has the same resources for every number of chains', () => {
    const every = serviceTemplate({ ...prodSettings, followedChains: coveredChains })
    const one = serviceTemplate({ ...prodSettings, followedChains: ['POLYGON'] })
    const kinds = ({ resources }: ServiceTemplate) =>
      Object.values(resources).map(({ Type }) => Type)
    expect(kinds(every)).toEqual(kinds(one))
    expect(coveredChains.length).toBeGreaterThan(9)
  })

  test('reserves nothing in an account that has no executions for it', () => {
    const small = serviceTemplate({ ...prodSettings, followedChains, accountConcurrency: 10 })
    const reserved = small
      .all('AWS::Lambda::Function')
      .filter(([, { Properties }]) => Properties.ReservedConcurrentExecutions !== undefined)
    expect(reserved).toEqual([])
  })

  test('is invoked every minute, without retries', () => {
    const rules = schedulesOf(followed).map(({ ScheduleExpression, State, Targets }) => {
      const [{ Arn, RetryPolicy }] = Targets
      const alias = resources[Arn.Ref]?.Properties
      const target = [resources[alias.FunctionName.Ref]?.Properties.FunctionName, alias.Name]
      return { ScheduleExpression, State, target, RetryPolicy }
    })
    const RetryPolicy = { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 }
    expect(rules).toEqual([
      {
        ...{ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED', RetryPolicy },
        target: ['PlayerNfts-prod-follow-chains', 'live'],
      },
    ])
    const configured = all('AWS::Lambda::EventInvokeConfig').map(([, { Properties }]) => Properties)
    expect(configured).toHaveLength(1)
    expect(configured[0]).toMatchObject(RetryPolicy)
    // It is cut from the ARN of the alias.
    expect(JSON.stringify(configured[0]?.Qualifier)).toMatch(/"Functionsfollowchains\w*Live/)
  })

  const alarmOf = (name: string): Json =>
    all('AWS::CloudWatch::Alarm')
      .map(([, { Properties }]) => Properties)
      .find(({ AlarmName }) => AlarmName === `PlayerNfts-prod-${name}`)

  test('has an alarm on the largest time since the last block, which is on while no line is written', () => {
    const alarm = alarmOf('follower-lag')
    expect(alarm).toMatchObject({ Threshold: 120, EvaluationPeriods: 3, DatapointsToAlarm: 2 })
    // A series without any value has nothing that CloudWatch could fill.
    expect(alarm).toMatchObject({ TreatMissingData: 'breaching' })
    const [expression, ...metrics] = alarm.Metrics
    expect(expression.Expression).toBe('FILL(lag, 600)')
    expect(metrics).toMatchObject([
      { Id: 'lag', MetricStat: { Metric: { MetricName: 'followLagSeconds' }, Stat: 'Maximum' } },
    ])
  })

  test('D149: has an alarm of its own on contracts that the indexer refuses', () => {
    expect(alarmOf('refused-contracts')).toMatchObject({
      ...{ MetricName: 'refusedContracts', Statistic: 'Maximum', Period: 300, Threshold: 1 },
      ...{ ComparisonOperator: 'GreaterThanOrEqualToThreshold', TreatMissingData: 'notBreaching' },
    })
  })

  test('D154: has an alarm on snapshots that audits and second looks have ended, if anything is kept', () => {
    expect(alarmOf('ended-snapshots')).toMatchObject({
      ...{ MetricName: 'endedSnapshots', Statistic: 'Sum', Period: 300, Threshold: 1 },
      ...{ ComparisonOperator: 'GreaterThanOrEqualToThreshold', TreatMissingData: 'notBreaching' },
    })
    const without = serviceTemplate({ ...prodSettings, followedChains, keptContracts: 0 })
    const names = without
      .all('AWS::CloudWatch::Alarm')
      .map(([, { Properties }]) => Properties.AlarmName)
    expect(names).toContain('PlayerNfts-prod-follower-lag')
    expect(names).not.toContain('PlayerNfts-prod-ended-snapshots')
  })

  test('pauses during maintenance', () => {
    const paused = serviceTemplate({ ...prodSettings, followedChains, maintenance: true })
    expect(schedulesOf(paused).map(({ State }) => State)).toEqual(['DISABLED'])
  })

  test('the deployment says what it costs in a month, and which networks it needs', () => {
    expect(outputs['FollowingMonthlyCost'].Value).toBe(
      'about 66 US dollars for POLYGON, ARBITRUM_SEPOLIA',
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
