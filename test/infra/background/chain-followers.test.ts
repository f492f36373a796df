import { describe, expect, test } from 'vitest'
import { coveredChains } from '../../../lib/domain/nft/chain.ts'
import { prodSettings } from '../../support/prod-settings.ts'
import {
  aliasedFunction,
  type ServiceTemplate,
  serviceTemplate,
} from '../../support/service-template.ts'

const followedChains = ['POLYGON', 'ARBITRUM_SEPOLIA']
const followed = serviceTemplate({ ...prodSettings, followedChains })
const { propertiesOf, outputs } = followed

/** The rules with a schedule. */
const schedulesOf = ({ propertiesOf }: ServiceTemplate) =>
  propertiesOf('AWS::Events::Rule').filter(({ ScheduleExpression }) => ScheduleExpression)

describe('D152: the follower of all chains', () => {
  test('is one function, which knows the chains of the setting', () => {
    const followers = propertiesOf('AWS::Lambda::Function').filter(({ FunctionName }) =>
      FunctionName.includes('follow'),
    )
    expect(followers).toMatchObject([
      {
        FunctionName: 'PlayerNfts-prod-follow-chains',
        ...{ MemorySize: 256, Timeout: 75, ReservedConcurrentExecutions: 2 },
        Environment: { Variables: { FOLLOWED_CHAINS: 'POLYGON,ARBITRUM_SEPOLIA' } },
      },
    ])
  })

  test('has the same resources for every number of chains', () => {
    const every = serviceTemplate({ ...prodSettings, followedChains: coveredChains })
    const one = serviceTemplate({ ...prodSettings, followedChains: ['POLYGON'] })
    const kinds = ({ resources }: ServiceTemplate) =>
      Object.values(resources).map(({ Type }) => Type)
    expect(kinds(every)).toEqual(kinds(one))
    expect(coveredChains.length).toBeGreaterThan(9)
  })

  test('is invoked every minute, without retries', () => {
    const RetryPolicy = { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 }
    const [rule, ...others] = schedulesOf(followed)
    expect([rule.ScheduleExpression, rule.State, others]).toEqual(['rate(1 minute)', 'ENABLED', []])
    expect(rule.Targets[0].RetryPolicy).toEqual(RetryPolicy)
    expect(aliasedFunction(followed, rule.Targets[0].Arn)).toBe('PlayerNfts-prod-follow-chains')
    const configured = propertiesOf('AWS::Lambda::EventInvokeConfig')
    expect(configured).toHaveLength(1)
    expect(configured[0]).toMatchObject(RetryPolicy)
    // It is cut from the ARN of the alias.
    expect(JSON.stringify(configured[0]?.Qualifier)).toMatch(/"Functionsfollowchains\w*Live/)
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
