import { RegionInfo } from 'aws-cdk-lib/region-info'
import { describe, expect, test } from 'vitest'
import { smallRegions } from '../../../infra/api/gateway-quota.ts'
import { prodSettings } from '../../support/prod-settings.ts'
import { inRegion } from '../../support/regions.ts'
import { type Json, serviceTemplate } from '../../support/service-template.ts'

/** The throttles of a deployment with these settings in a Region: of the other routes, and of those with their own. */
function throttlesIn(region: string, settings: Record<string, unknown>): [Json, ...Json[]] {
  const template = serviceTemplate({ ...prodSettings, ...settings })
  const { Properties } = template.only('AWS::ApiGatewayV2::Stage')
  const { DefaultRouteSettings, RouteSettings } = inRegion(template, region, Properties)
  return [DefaultRouteSettings, ...Object.values(RouteSettings)]
}

const large = { accountConcurrency: 100_000 }

describe('the throttles of a stage', () => {
  test('are in Regions of AWS', () => {
    expect(smallRegions).toHaveLength(13)
    expect(RegionInfo.regions.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...smallRegions]),
    )
  })

  test.each(smallRegions)('in %s are at most 2,500 a second and 1,250 at once', (region) => {
    const [others, ...own] = throttlesIn(region, large)
    expect(others).toEqual({ ThrottlingRateLimit: 2_500, ThrottlingBurstLimit: 1_250 })
    for (const { ThrottlingRateLimit, ThrottlingBurstLimit } of own) {
      expect(ThrottlingRateLimit).toBeLessThanOrEqual(2_500)
      expect(ThrottlingBurstLimit).toBeLessThanOrEqual(1_250)
    }
  })

  test.each(['us-east-1', 'eu-central-1', 'eu-west-1', 'ap-southeast-1'])(
    'in %s are at most 10,000 a second and 5,000 at once',
    (region) => {
      const [others] = throttlesIn(region, large)
      expect(others).toEqual({ ThrottlingRateLimit: 10_000, ThrottlingBurstLimit: 5_000 })
    },
  )

  test('are numbers without a condition where the Region changes nothing', () => {
    const small = serviceTemplate({ ...prodSettings, accountConcurrency: 200 })
    expect(small.conditions).toEqual({})
    expect(throttlesIn('eu-south-1', { accountConcurrency: 200 })).toEqual(
      throttlesIn('eu-central-1', { accountConcurrency: 200 }),
    )
  })

  test.each(['eu-south-1', 'eu-central-1'])(
    'in %s follow the quota of the settings, which replaces both numbers',
    (region) => {
      const quota = { gatewayRequestsPerSecond: 20_000, gatewayBurst: 10_000 }
      const [others] = throttlesIn(region, { ...large, ...quota })
      expect(others).toEqual({ ThrottlingRateLimit: 20_000, ThrottlingBurstLimit: 10_000 })
      const low = { gatewayRequestsPerSecond: 3, gatewayBurst: 2 }
      for (const throttle of throttlesIn(region, { ...large, ...low })) {
        expect(throttle.ThrottlingRateLimit).toBeLessThanOrEqual(3)
        expect(throttle.ThrottlingBurstLimit).toBeLessThanOrEqual(2)
      }
    },
  )
})
