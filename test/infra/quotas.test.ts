import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { quotaFaults } from '../../infra/deployment/template-quotas.ts'
import { targetOf } from '../../infra/settings/deployment-target.ts'
import { deploymentSettings } from '../../infra/settings/settings.ts'
import { severalLogins } from '../support/prod-settings.ts'
import { inRegion } from '../support/regions.ts'
import { resourceBudgets } from '../support/resource-budgets.ts'
import { type Json, type ServiceTemplate, serviceTemplate } from '../support/service-template.ts'
import { rsaLogin, variants } from '../support/variants.ts'

/** Where a stack of these settings is: with the resources that the settings name. */
const placeOf = ({ region }: { readonly region?: string | undefined }) => ({
  CDK_DEFAULT_ACCOUNT: '123456789012',
  CDK_DEFAULT_REGION: region ?? 'eu-central-1',
})

const propertiesOf = ({ all }: ServiceTemplate, type: string): Json[] =>
  all(type).map(([, { Properties }]) => Properties)

describe.each(Object.entries(variants))('quotas: %s', (_, given) => {
  const settings = deploymentSettings(given)
  const template = serviceTemplate(given)
  const { CDK_DEFAULT_REGION: region, ...account } = placeOf(settings)

  test('Lambda: the reservations leave 100 executions of the account', () => {
    const reserved = propertiesOf(template, 'AWS::Lambda::Function').reduce(
      (sum, { ReservedConcurrentExecutions: each = 0 }) => sum + each,
      0,
    )
    expect(reserved).toBeLessThanOrEqual(Math.max(0, settings.accountConcurrency - 100))
  })

  test('Lambda and CloudFormation: variables, resources and references to secrets', () => {
    expect(quotaFaults({ Resources: template.resources })).toEqual([])
    const { today, withWebhooks } = resourceBudgets
    const most = settings.webhooks ? withWebhooks : today
    expect(Object.keys(template.resources).length).toBeLessThanOrEqual(most)
  })

  test('CloudWatch: an alarm has at most ten metrics', () => {
    const alarms = propertiesOf(template, 'AWS::CloudWatch::Alarm')
    const most = alarms.map(
      ({ Metrics = [] }) => Metrics.filter(({ MetricStat }: Json) => MetricStat).length,
    )
    expect(Math.max(0, ...most)).toBeLessThanOrEqual(10)
  })

  test('API Gateway: throttles of the Region, and 300 routes and integrations', () => {
    const [rate, burst] = region === 'eu-south-1' ? [2_500, 1_250] : [10_000, 5_000]
    const [stage] = propertiesOf(template, 'AWS::ApiGatewayV2::Stage')
    const { DefaultRouteSettings, RouteSettings } = inRegion(template, region, stage)
    for (const throttle of [DefaultRouteSettings, ...Object.values<Json>(RouteSettings)]) {
      expect(throttle.ThrottlingRateLimit).toBeLessThanOrEqual(rate)
      expect(throttle.ThrottlingBurstLimit).toBeLessThanOrEqual(burst)
    }
    for (const type of ['AWS::ApiGatewayV2::Route', 'AWS::ApiGatewayV2::Integration']) {
      expect(template.all(type).length).toBeLessThanOrEqual(300)
    }
  })

  test('every ARN of the settings is where AWS accepts it', () => {
    expect(() => targetOf(settings, { ...account, CDK_DEFAULT_REGION: region })).not.toThrow()
  })
})

test('docs/quotas.md says how many resources a stack may have', () => {
  const row = readFileSync('docs/quotas.md', 'utf8').match(/^\| CloudFormation, resources of.*$/m)
  const { today, withWebhooks, withTwentyMore } = resourceBudgets
  expect(row?.[0]).toContain(
    `at most ${today} in any variant of the settings without webhooks, at most ${withWebhooks} with webhooks and everything else`,
  )
  expect(row?.[0]).toContain(`at most ${withTwentyMore} with twenty operations more`)
})

describe('a template over a quota is refused in a sentence', () => {
  test('with five RSA keys of 4,096 bits, which do not fit into the variables of a function', () => {
    const { resources } = serviceTemplate(rsaLogin(5))
    expect(quotaFaults({ Resources: resources })).toEqual([
      expect.stringMatching(
        /^loginPublicKeys must be shorter: with loginPublicKeys, which takes 3684 bytes, the variables of the function PlayerNfts-prod-create-player-token take 4\d{3}, and Lambda accepts 4096$/,
      ),
    ])
  })

  test('D90: with logins that are too long, by how many bytes, and what to use in place of keys', () => {
    const { loginPublicKeys } = rsaLogin(5)
    const logins = loginPublicKeys.map((key, index) => ({
      issuer: `https://${index}.example`,
      ...{ audiences: ['platform'], algorithms: ['RS256'], publicKeys: [key] },
    }))
    const { resources } = serviceTemplate({ ...severalLogins, logins })
    const [fault = ''] = quotaFaults({ Resources: resources })
    const [, by, size] =
      /^logins must be shorter by (\d+) bytes, for example with jwksUrl in place of publicKeys: with logins, which takes 4\d{3} bytes, the variables of the function PlayerNfts-prod-create-player-token take (\d+), and Lambda accepts 4096$/.exec(
        fault,
      ) ?? []
    expect(Number(size) - Number(by), fault).toBe(4_096)
    const shorter = logins.map(({ publicKeys: _, ...login }) => ({
      ...login,
      jwksUrl: `${login.issuer}/.well-known/jwks.json`,
    }))
    expect(
      quotaFaults({ Resources: serviceTemplate({ ...severalLogins, logins: shorter }).resources }),
    ).toEqual([])
  })

  test('with 61 references to secrets', () => {
    const Properties = { value: '{{resolve:secretsmanager:a}}' }
    const parts = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, id) => [`Part${id}`, { Type: 'Test::Part', Properties }]),
      )
    expect(quotaFaults({ Resources: parts(60) })).toEqual([])
    expect(quotaFaults({ Resources: parts(61) })).toEqual([
      'the stack has 61 references to secrets, and CloudFormation accepts 60',
    ])
  })
})

describe('the variables of a function have the size that Lambda measures', () => {
  const faultsWith = (Variables: object) =>
    quotaFaults({
      Resources: {
        Key: { Type: 'AWS::KMS::Key' },
        Checks: { Type: 'Custom::DeploymentChecks', Properties: { PublicKeysOf: ['1', '2'] } },
        Function: {
          ...{ Type: 'AWS::Lambda::Function' },
          Properties: { FunctionName: 'f', Environment: { Variables } },
        },
      },
    })
  const room = 4_096 - '{"ISSUER":""}'.length

  test.each<[string, Json, number]>([
    ['text', '', 0],
    ['letters of two bytes', 'ä'.repeat(10), 20],
    ['an ARN', { 'Fn::GetAtt': ['Key', 'Arn'] }, 80],
    ['a list', { 'Fn::Join': [',', [{ 'Fn::GetAtt': ['Key', 'Arn'] }, 'x']] }, 82],
    ['public keys', { 'Fn::GetAtt': ['Checks', 'PlayerTokenPublicKeys'] }, 250],
    ['a secret', { 'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: 'S' }, '}}']] }, 64],
  ])('with %s', (_, value, bytes) => {
    const with_ = (free: number) => ({
      ISSUER: { 'Fn::Join': ['', ['x'.repeat(free), value]] },
    })
    expect(faultsWith(with_(room - bytes))).toEqual([])
    expect(faultsWith(with_(room - bytes + 1))).toEqual([
      `issuer must be shorter: with issuer, which takes ${room + 1} bytes, the variables of the function f take 4097, and Lambda accepts 4096`,
    ])
  })
})
