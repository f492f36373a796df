import { Aws, CfnCondition, Fn, Token } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import type { Route } from '../../lib/contract/route.ts'
import type { Settings } from '../settings/settings.ts'
import { type StageThrottles, type Throttle, throttlesWithin } from './throttles.ts'

/** The default quota of API Gateway for all APIs of an account in a Region. It rejects a throttle above it. */
export const usualQuota: Throttle = { rateLimit: 10_000, burstLimit: 5_000 }

/** The same in {@link smallRegions}. */
export const smallQuota: Throttle = { rateLimit: 2_500, burstLimit: 1_250 }

/**
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html has these Regions with the smaller quota.
 */
export const smallRegions = [
  'af-south-1',
  'eu-south-1',
  'ap-southeast-3',
  'me-central-1',
  'ap-south-2',
  'ap-southeast-4',
  'eu-south-2',
  'eu-central-2',
  'il-central-1',
  'ca-west-1',
  'ap-southeast-5',
  'ap-southeast-7',
  'mx-central-1',
] as const

/** The quota of the settings, which replaces the default of the Region. */
const quotaOf = (
  { gatewayRequestsPerSecond, gatewayBurst }: Settings,
  ofRegion: Throttle,
): Throttle => ({
  rateLimit: gatewayRequestsPerSecond ?? ofRegion.rateLimit,
  burstLimit: gatewayBurst ?? ofRegion.burstLimit,
})

/**
 * The throttles of a stage within the quota of the Region in which the template is deployed, which the CDK need not know.
 * Where a number depends on the Region, it is a token: the template chooses it by a condition.
 */
export function stageThrottles(
  scope: Construct,
  settings: Settings,
  operations: readonly Route[],
): StageThrottles {
  const [usual, small] = [usualQuota, smallQuota].map((ofRegion) =>
    throttlesWithin(settings, quotaOf(settings, ofRegion), operations),
  ) as [StageThrottles, StageThrottles]
  let isSmall: CfnCondition | undefined
  const choose = (inSmall: number, inOthers: number): number => {
    if (inSmall === inOthers) return inOthers
    isSmall ??= isSmallRegion(scope)
    return Token.asNumber(Fn.conditionIf(isSmall.logicalId, inSmall, inOthers))
  }
  const either = (inSmall: Throttle, inOthers: Throttle): Throttle => ({
    rateLimit: choose(inSmall.rateLimit, inOthers.rateLimit),
    burstLimit: choose(inSmall.burstLimit, inOthers.burstLimit),
  })
  return {
    others: either(small.others, usual.others),
    routes: Object.fromEntries(
      Object.entries(usual.routes).map(([key, throttle]) => [
        key,
        either(small.routes[key] ?? throttle, throttle),
      ]),
    ),
  }
}

const isSmallRegion = (scope: Construct): CfnCondition =>
  new CfnCondition(scope, 'SmallRegion', {
    expression: Fn.conditionOr(
      ...smallRegions.map((region) => Fn.conditionEquals(Aws.REGION, region)),
    ),
  })
