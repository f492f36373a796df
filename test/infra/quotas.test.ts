import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Template } from '../../infra/deployment/stack-templates.ts'
import { quotaFaults } from '../../infra/deployment/template-quotas.ts'
import { targetOf } from '../../infra/settings/deployment-target.ts'
import { deploymentSettings } from '../../infra/settings/settings.ts'
import { loginElsewhere, retainedKey, severalLogins } from '../support/prod-settings.ts'
import { stackBudgets } from '../support/resource-budgets.ts'
import { type Json, serviceTemplate, validTemplate } from '../support/service-template.ts'
import { rsaLogin, variants } from '../support/variants.ts'

/** Where a stack of these settings is: with the resources that the settings name. */
const placeOf = ({ region }: { readonly region?: string | undefined }) => ({
  CDK_DEFAULT_ACCOUNT: '123456789012',
  CDK_DEFAULT_REGION: region ?? 'eu-central-1',
})

describe.each(Object.entries(variants))(
  'valid for CloudFormation, within the quotas: %s',
  (_, given) => {
    const settings = deploymentSettings(given)
    const template = validTemplate(given)

    test('of the account', () => {
      const functions = template.propertiesOf('AWS::Lambda::Function')
      const reserved = functions.map((each) => each.ReservedConcurrentExecutions ?? 0)
      expect(reserved.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(
        Math.max(0, settings.accountConcurrency - 100),
      )
      expect(() => targetOf(settings, placeOf(settings))).not.toThrow()
    })

    test('of the template and of what it creates', () => {
      expect(quotaFaults(template.templates)).toEqual([])
      const { root, ...nested } = template.stacks
      const countIn = ({ Resources }: Template) => Object.keys(Resources).length
      expect(countIn(root as Template)).toBeLessThanOrEqual(stackBudgets.root)
      for (const each of Object.values(nested)) {
        expect(countIn(each)).toBeLessThanOrEqual(stackBudgets.nested)
      }
      for (const { Metrics = [] } of template.propertiesOf('AWS::CloudWatch::Alarm')) {
        const read = Metrics.filter(({ MetricStat }: Json) => MetricStat)
        expect(read.length).toBeLessThanOrEqual(10)
      }
      expect(template.all('AWS::ApiGatewayV2::Route').length).toBeLessThanOrEqual(300)
    })
  },
)

test.each([
  ['the stage local', { stage: 'local' }],
  ['a retained key beside a key of the stack', { playerTokenKeys: [retainedKey, '2'] }],
  ['a login with a public key', loginElsewhere],
  [
    'kept data, reserved concurrency and dropped keys',
    {
      keepData: true,
      reservedConcurrency: { registerProduct: 5, workQueue: 7 },
      dropAllKeys: true,
    },
  ],
])('the template of %s is valid for CloudFormation too', (_, settings) => {
  expect(() => validTemplate(settings)).not.toThrow()
})

test('D147: docs/quotas.md says how many resources a stack may have', () => {
  const row = readFileSync('docs/quotas.md', 'utf8').match(/^\| CloudFormation, resources of.*$/m)
  const { root, nested, withTwentyMore } = stackBudgets
  expect(row?.[0]).toContain(`at most ${root} in the root and ${nested} in each nested stack`)
  expect(row?.[0]).toContain(`at most ${withTwentyMore} with twenty operations more`)
})

describe('a template over a quota is refused in a sentence', () => {
  test('with five RSA keys of 4,096 bits, which do not fit into the variables of a function', () => {
    expect(quotaFaults(serviceTemplate(rsaLogin(5)).templates)).toEqual([
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
    const [fault = ''] = quotaFaults(serviceTemplate({ ...severalLogins, logins }).templates)
    const [, by, size] =
      /^logins must be shorter by (\d+) bytes, for example with jwksUrl in place of publicKeys: with logins, which takes 4\d{3} bytes, the variables of the function PlayerNfts-prod-create-player-token take (\d+), and Lambda accepts 4096$/.exec(
        fault,
      ) ?? []
    expect(Number(size) - Number(by), fault).toBe(4_096)
    const shorter = logins.map(({ publicKeys: _, ...login }) => ({
      ...login,
      jwksUrl: `${login.issuer}/.well-known/jwks.json`,
    }))
    expect(quotaFaults(serviceTemplate({ ...severalLogins, logins: shorter }).templates)).toEqual(
      [],
    )
  })

  const numbered = <Value>(count: number, value: Value): Record<string, Value> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`Part${index}`, value]))
  const faultsOf = (root: Partial<Template>, nested: Partial<Template> = {}) =>
    quotaFaults({
      root: { Resources: {}, ...root },
      nested: { WebhooksNestedStackWebhooks1A2B: { Resources: {}, ...nested } },
    })
  const part = { Type: 'Test::Part', Properties: {} }
  const withSecret = { ...part, Properties: { value: '{{resolve:secretsmanager:a}}' } }

  test.each<[string, number, (count: number) => Partial<Template>]>([
    ['references to secrets', 60, (count) => ({ Resources: numbered(count, withSecret) })],
    ['resources', 500, (count) => ({ Resources: numbered(count, part) })],
    ['parameters', 200, (count) => ({ Parameters: numbered(count, {}) })],
    ['outputs', 200, (count) => ({ Outputs: numbered(count, { Value: '' }) })],
  ])('with more %s than %d in the stack or in a nested stack', (what, quota, template) => {
    expect(faultsOf(template(quota), template(quota))).toEqual([])
    const fault = (stack: string) =>
      `${stack} has ${quota + 1} ${what}, and CloudFormation accepts ${quota}`
    expect(faultsOf(template(quota + 1))).toEqual([fault('the stack')])
    expect(faultsOf({}, template(quota + 1))).toEqual([fault('the nested stack Webhooks')])
  })

  test('with a template of more than 1,000,000 bytes', () => {
    const large = { ...part, Properties: 'x'.repeat(1_000_000) }
    expect(faultsOf({ Resources: { large } })).toEqual([
      expect.stringMatching(/^the stack has 1000\d+ bytes, and CloudFormation accepts 1000000$/),
    ])
  })

  test('with a policy that is too long where its ARNs are longest, also through a parameter', () => {
    const Document = { Statement: { Action: 'lambda:InvokeFunction', Resource: { Ref: 'Arn' } } }
    const role = (more: number) => ({
      Type: 'AWS::IAM::Role',
      Properties: { Policies: [{ PolicyDocument: { ...Document, Sid: 'x'.repeat(more) } }] },
    })
    const faultsWith = (more: number) =>
      quotaFaults({
        root: {
          Resources: {
            WebhooksNestedStack1: {
              Type: 'AWS::CloudFormation::Stack',
              Properties: { Parameters: { Arn: { 'Fn::GetAtt': ['Function', 'Arn'] } } },
            },
            Function: { Type: 'AWS::Lambda::Function', Properties: { FunctionName: 'f' } },
          },
        },
        nested: {
          WebhooksNestedStack1: { Parameters: { Arn: {} }, Resources: { Role: role(more) } },
        },
      })
    const arn = 'arn:aws-us-gov:lambda:ap-southeast-1:123456789012:function:f'
    const text = JSON.stringify({ ...Document, Sid: '' }).replace('{"Ref":"Arn"}', `"${arn}"`)
    expect(faultsWith(10_240 - text.length)).toEqual([])
    expect(faultsWith(10_241 - text.length)).toEqual([
      'the policy of WebhooksRole would take 10241 characters, and AWS accepts 10240',
    ])
  })
})

describe('the variables of a function have the size that Lambda measures', () => {
  const faultsWith = (Variables: object) =>
    quotaFaults({
      root: {
        Resources: {
          Key: { Type: 'AWS::KMS::Key', Properties: {} },
          Checks: { Type: 'Custom::DeploymentChecks', Properties: { PublicKeysOf: ['1', '2'] } },
          Function: {
            ...{ Type: 'AWS::Lambda::Function' },
            Properties: { FunctionName: 'f', Environment: { Variables } },
          },
        },
      },
      nested: {},
    })
  const room = 4_096 - '{"ISSUER":""}'.length

  test.each<[string, Json, number]>([
    ['text', '', 0],
    ['letters of two bytes', 'ä'.repeat(10), 20],
    ['an ARN', { 'Fn::GetAtt': ['Key', 'Arn'] }, 80],
    ['a list', { 'Fn::Join': [',', [{ 'Fn::GetAtt': ['Key', 'Arn'] }, 'x']] }, 82],
    ['another function', { 'Fn::Select': [0, { 'Fn::Split': ['/', 'a/b'] }] }, 134],
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
