import { Aws, CfnCondition, Fn, Token } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import type { Route } from '../../lib/contract/route.ts'
import {
  type QuotaSettings,
  quotaOf,
  smallQuota,
  smallRegions,
  usualQuota,
} from './gateway-quota.ts'
import {
  defaultThrottle,
  routeThrottles,
  type Throttle,
  type ThrottleSettings,
} from './throttles.ts'

/** The throttles of a stage of the API. */
export interface StageThrottles {
  /** Of each route that has none of its own. */
  readonly others: Throttle
  /** By API Gateway's route key. */
  readonly routes: Readonly<Record<string, Throttle>>
}

/** The throttles of a stage in an account with this quota of API Gateway. */
export const throttlesWithin = (
  settings: ThrottleSettings,
  quota: Throttle,
  operations?: readonly Route[],
): StageThrottles => ({
  others: defaultThrottle(settings, quota),
  routes: routeThrottles(settings, quota, operations),
})

/**
 * The throttles of a stage within the quota of the Region in which the template is deployed, which the CDK need not know.
 * Where a number depends on the Region, it is a token: the template chooses it by a condition.
 */
export function stageThrottles(
  scope: Construct,
  settings: ThrottleSettings & QuotaSettings,
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
