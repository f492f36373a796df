import { Annotations, Match } from 'aws-cdk-lib/assertions'
import { RegionInfo } from 'aws-cdk-lib/region-info'
import { describe, expect, test } from 'vitest'
import { smallQuota, smallRegions, usualQuota } from '../../../infra/api/stage-throttles.ts'
import { throttlesWithin } from '../../../infra/api/throttles.ts'
import { reservedConcurrency } from '../../../infra/settings/reserved-concurrency.ts'
import { functionTimeoutSeconds } from '../../../lib/domain/time-budget.ts'
import { prodSettings } from '../../support/prod-settings.ts'
import {
  inRegion,
  type Json,
  type ServiceTemplate,
  serviceApp,
  serviceTemplate,
  templateOf,
} from '../../support/service-template.ts'

const registration = 'POST /api/public/v1/product'

const details = ['GET /api/public/v1/player/details', 'GET /api/public/v1/player/balance']

const playerTokens = 'GET /api/public/v1/player/token'

/** An account with this quota of Lambda, without reservations. */
const accountWith = (accountConcurrency: number) =>
  ({
    accountConcurrency,
    reservedConcurrency: 'none',
    slowestOpenCallSeconds: functionTimeoutSeconds,
  }) as const

describe.each([10, 40, 1_000, 100_000])('without reservations, in an account with %i', (quota) => {
  const account = accountWith(quota)
  const { routes, others } = throttlesWithin(account, usualQuota)
  const { [registration]: ofRegistration, ...open } = routes

  test('an open route accepts five calls at once and one a second, or more', () => {
    expect(Object.keys(open)).toEqual(expect.arrayContaining(details))
    for (const { rateLimit, burstLimit } of Object.values(open)) {
      expect(rateLimit).toBeGreaterThanOrEqual(1)
      expect(burstLimit).toBeGreaterThanOrEqual(5)
    }
  })

  test('registration accepts two calls at once and one in five seconds, or more, and has the lowest throttle', () => {
    expect(ofRegistration?.rateLimit).toBeGreaterThanOrEqual(0.2)
    expect(ofRegistration?.burstLimit).toBeGreaterThanOrEqual(2)
    const rates = [...Object.values(open), others].map((each) => each.rateLimit)
    expect(ofRegistration?.rateLimit).toBeLessThan(Math.min(...rates))
  })

  test('only open routes have a throttle of their own', () => {
    expect(Object.keys(open)).not.toContain(playerTokens)
  })

  test.runIf(quota >= 1_000)(
    'no open operation can take more than a quarter of the concurrency',
    () => {
      const taken = Object.entries(routes).map(([route, { rateLimit, burstLimit }]) => {
        const paths = details.includes(route) ? details.length : 1
        return paths * (burstLimit + rateLimit * account.slowestOpenCallSeconds)
      })
      expect(Math.max(...taken)).toBeLessThanOrEqual(quota / 4)
    },
  )
})

test('an account with 10 has exactly the least of the open routes', () => {
  const { routes } = throttlesWithin(accountWith(10), usualQuota)
  expect(routes[registration]).toEqual({ rateLimit: 0.2, burstLimit: 2 })
  for (const route of details) expect(routes[route]).toEqual({ rateLimit: 1, burstLimit: 5 })
})

test.each([500, 1_000, 100_000, 1_000_000])(
  'with reservations, in an account with %i, a throttle is what Lambda accepts for the reservation, on all paths of the operation together',
  (quota) => {
    const account = { ...accountWith(quota), reservedConcurrency: {} }
    const { routes } = throttlesWithin(account, usualQuota)
    const { registerProduct = 0, getPlayerDetails = 0 } = reservedConcurrency(account)
    expect(routes[registration]).toEqual({
      rateLimit: Math.min(registerProduct * 10, 10_000),
      burstLimit: Math.min(registerProduct, 5_000),
    })
    const rate = details.reduce((sum, route) => sum + (routes[route]?.rateLimit ?? 0), 0)
    expect(rate).toBe(Math.min(getPlayerDetails * 10, 10_000))
    expect(routes).toHaveProperty([playerTokens])
  },
)

describe.each([
  ['most Regions', usualQuota],
  ['some Regions', smallQuota],
  ['a small account', { rateLimit: 1, burstLimit: 1 }],
])('with the quota of API Gateway of %s', (_, quota) => {
  test.each([10, 500, 1_000_000])(
    'no throttle of an account with %i exceeds the quota',
    (accountConcurrency) => {
      const all = ([{}, 'none'] as const).flatMap((reservedConcurrency) => {
        const account = { ...accountWith(accountConcurrency), reservedConcurrency }
        const { routes, others } = throttlesWithin(account, quota)
        return [...Object.values(routes), others]
      })
      for (const { rateLimit, burstLimit } of all) {
        expect(rateLimit).toBeLessThanOrEqual(quota.rateLimit)
        expect(rateLimit).toBeGreaterThan(0)
        expect(burstLimit).toBeLessThanOrEqual(quota.burstLimit)
        expect(burstLimit).toBeGreaterThan(0)
        expect(Number.isInteger(burstLimit)).toBe(true)
      }
    },
  )
})

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
    expect(RegionInfo.regions.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...smallRegions]),
    )
  })

  test.each<[string, number, number]>([
    ...smallRegions.map((region): [string, number, number] => [region, 2_500, 1_250]),
    ['us-east-1', 10_000, 5_000],
    ['eu-central-1', 10_000, 5_000],
  ])('in %s are at most %i a second and %i at once', (region, rate, burst) => {
    const [others, ...own] = throttlesIn(region, large)
    expect(others).toEqual({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst })
    for (const { ThrottlingRateLimit, ThrottlingBurstLimit } of own) {
      expect(ThrottlingRateLimit).toBeLessThanOrEqual(rate)
      expect(ThrottlingBurstLimit).toBeLessThanOrEqual(burst)
    }
  })

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

/** What happens to the role with which API Gateway invokes functions, when it leaves the stack and when it is replaced. */
function policiesOf({ all }: ServiceTemplate) {
  const [, role] = all('AWS::IAM::Role').find(([id]) => id.startsWith('HttpApiInvocation')) ?? []
  return [role?.DeletionPolicy, role?.UpdateReplacePolicy]
}

test('D83: the role of API Gateway remains on every way back, also that of the update that creates it', () => {
  // Not RetainExceptOnCreate, which deletes the role when this update is turned back.
  expect(policiesOf(serviceTemplate(prodSettings))).toEqual(['Retain', 'Retain'])
  expect(policiesOf(serviceTemplate())).toEqual([undefined, undefined])
})

const prod = serviceTemplate(prodSettings)

describe('the access log', () => {
  test('D5: logs each request as JSON, without path, query string or headers', () => {
    const { Format } = prod.only('AWS::ApiGatewayV2::Stage').Properties.AccessLogSettings
    const logged = Object.values(JSON.parse(Format))
    expect(logged).toEqual(expect.arrayContaining(['$context.routeKey', '$context.status']))
    expect(logged.filter((each) => /path|query|header|authorizer|claims/i.test(`${each}`))).toEqual(
      [],
    )
  })

  test('D84: has a name into which API Gateway may write in every account, and which no stack had before', () => {
    const name = JSON.stringify(nameIn(prod))
    expect(name).toContain('"/aws/vendedlogs/PlayerNfts-prod-"')
    // The first part of the UUID in the id of the stack.
    const uuid = '{"Fn::Select":[2,{"Fn::Split":["/",{"Ref":"AWS::StackId"}]}]}'
    expect(name).toContain(`{"Fn::Select":[0,{"Fn::Split":["-",${uuid}]}]},"/http-api"`)
  })

  test.each([
    ['/games/nfts', 1],
    ['/aws/vendedlogs', 0],
    ['/aws/vendedlogs/games', 0],
    ['/aws/vendedlogs-of-games', 1],
    [undefined, 0],
  ])(
    'D84: the prefix %j wins, with a line at synthesis if it lies elsewhere',
    (logGroupPrefix, lines) => {
      const app = serviceApp({ ...prodSettings, ...(logGroupPrefix && { logGroupPrefix }) })
      const template = templateOf(app)
      if (logGroupPrefix) expect(nameIn(template)).toBe(`${logGroupPrefix}/http-api`)
      const said = Annotations.fromStack(app.stack).findInfo(
        '*',
        Match.stringLikeRegexp('^logGroupPrefix: '),
      )
      expect(said.map(({ id }) => id)).toEqual(
        Array(lines).fill('/PlayerNfts-prod/HttpApi/AccessLog'),
      )
    },
  )
})

/** The name of the access log. */
const nameIn = ({ all }: ServiceTemplate): Json =>
  all('AWS::Logs::LogGroup').find(([id]) => id.startsWith('HttpApi'))?.[1].Properties.LogGroupName
