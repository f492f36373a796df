import { CfnResource } from 'aws-cdk-lib'
import { describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import { nestedName, type Template } from '../../infra/deployment/stack-templates.ts'
import { countsOf, policySizes, quotaFaults } from '../../infra/deployment/template-quotas.ts'
import { base, type Feature, functionName, type Route } from '../../lib/contract/route.ts'
import { everything, prodSettings } from '../support/prod-settings.ts'
import { stackBudgets } from '../support/resource-budgets.ts'
import {
  type Json,
  type Resource,
  type ServiceTemplate,
  serviceApp,
  serviceTemplate,
  templateOf,
} from '../support/service-template.ts'

const full = serviceTemplate(everything)

const { root, ...nested } = full.stacks as Record<string, Template> & { root: Template }

const { Monitoring, WalletSignIn, Webhooks } = nested as Record<string, Template>

const ofType = (template: Template | undefined, type: string): Resource[] =>
  Object.values(template?.Resources ?? {}).filter(({ Type }) => Type === type)

const functionsIn = (template: Template | undefined): string[] =>
  ofType(template, 'AWS::Lambda::Function').map(({ Properties }) =>
    Properties.FunctionName.replace('PlayerNfts-prod-', ''),
  )

/** The resources of the root that are nested stacks, by name. */
const resourcesOfNested = Object.fromEntries(
  Object.entries(root.Resources)
    .filter(([, { Type }]) => Type === 'AWS::CloudFormation::Stack')
    .map(([id, resource]) => [nestedName(id), resource]),
)

describe('D147: the nested stacks', () => {
  test('are monitoring, and the functions of sign-in and of webhooks, if the deployment has these', () => {
    expect(Object.keys(nested).toSorted()).toEqual(['Monitoring', 'WalletSignIn', 'Webhooks'])
    const names = (each: readonly Route[]) => each.map(({ id }) => functionName(id)).toSorted()
    const needing = (feature: Feature) =>
      Object.values<Route>(routes).filter(({ needs }) => needs === feature)
    expect(functionsIn(WalletSignIn).toSorted()).toEqual(names(needing('walletSignIn')))
    expect(functionsIn(Webhooks).toSorted()).toEqual(
      [...names(needing('webhooks')), 'deliver-webhooks'].toSorted(),
    )
    expect(functionsIn(Monitoring)).toEqual([])
    expect(Object.keys(serviceTemplate(prodSettings).stacks)).toEqual(['root', 'Monitoring'])
    expect(Object.keys(serviceTemplate({ stage: 'local' }).stacks)).toEqual(['root'])
  })

  test('hold nothing that keeps data, no queue and no distribution', () => {
    const types = new Set(
      Object.values(nested).flatMap(({ Resources }) =>
        Object.values(Resources).map(({ Type }) => Type),
      ),
    )
    const inRoot = new Set(Object.values(root.Resources).map(({ Type }) => Type))
    for (const type of [
      ...['AWS::DynamoDB::Table', 'AWS::KMS::Key', 'AWS::SecretsManager::Secret'],
      ...['AWS::Logs::LogGroup', 'AWS::S3::Bucket', 'AWS::SQS::Queue'],
      ...['AWS::CloudFront::Distribution', 'AWS::ApiGatewayV2::Api', 'AWS::ApiGatewayV2::Stage'],
      ...['Custom::DeploymentChecks', 'AWS::CodeDeploy::Application'],
    ]) {
      expect([type, types.has(type), inRoot.has(type)]).toEqual([type, false, true])
    }
    for (const { Resources } of Object.values(nested)) {
      const retained = Object.values(Resources).filter(({ DeletionPolicy = '' }) =>
        DeletionPolicy.startsWith('Retain'),
      )
      expect(new Set(retained.map(({ Type }) => Type)).size).toBeLessThanOrEqual(1)
      for (const { Type } of retained) expect(Type).toBe('AWS::Lambda::Version')
    }
  })

  test('change only after the checks of the deployment, and the stage of the API after its routes', () => {
    const [checks] = Object.entries(root.Resources).flatMap(([id, { Type }]) =>
      Type === 'Custom::DeploymentChecks' ? [id] : [],
    )
    for (const [name, { DependsOn }] of Object.entries(resourcesOfNested)) {
      expect([name, [DependsOn].flat().includes(checks)]).toEqual([name, true])
    }
    const alarms = ofType(root, 'AWS::CloudWatch::Alarm')
    expect(alarms).toHaveLength(3)
    for (const { DependsOn } of alarms) expect([DependsOn].flat()).toContain(checks)
    const [stage] = ofType(root, 'AWS::ApiGatewayV2::Stage')
    const before = [stage?.DependsOn ?? []].flat().map((id) => nestedName(id))
    expect(before).toEqual(expect.arrayContaining(['WalletSignIn', 'Webhooks']))
  })

  test('say nothing by the name that CloudFormation gives them', () => {
    const uses = Object.entries(nested).filter(([, { Resources }]) =>
      /AWS::Stack(Name|Id)/.test(JSON.stringify(Resources)),
    )
    expect(uses.map(([name]) => name)).toEqual([])
  })

  test('get the id of the API, and never its stage', () => {
    const [stageId = ''] = Object.entries(root.Resources).flatMap(([id, { Type }]) =>
      Type === 'AWS::ApiGatewayV2::Stage' ? [id] : [],
    )
    expect(JSON.stringify(resourcesOfNested)).not.toContain(`"${stageId}"`)
  })

  test('have a role each with which API Gateway invokes their own aliases, and which is deleted with them', () => {
    for (const [name, template] of [['', root], ...Object.entries(nested)] as const) {
      const roles = Object.entries(template.Resources).filter(([id]) =>
        id.startsWith('HttpApiInvocationRole'),
      )
      expect([name, roles.length]).toEqual([name, name === 'Monitoring' ? 0 : 1])
      for (const [, { Properties, DeletionPolicy }] of roles) {
        expect(Properties.Description).toBe('API Gateway invokes the functions of PlayerNfts-prod')
        expect(DeletionPolicy).toBe(name === '' ? 'Retain' : undefined)
        const aliases = Properties.Policies[0].PolicyDocument.Statement[0].Resource
        const own = [aliases].flat().map(({ Ref }: Json) => template.Resources[Ref]?.Type)
        expect(new Set(own)).toEqual(new Set(['AWS::Lambda::Alias']))
      }
    }
  })
})

test('D147: the logical ids of what holds data are those of before', () => {
  const types =
    /^AWS::(DynamoDB::Table|KMS::Key|SecretsManager::Secret|Logs::LogGroup|S3::Bucket|SQS::Queue)$/
  const ids = Object.entries(root.Resources).flatMap(([id, { Type }]) =>
    types.test(Type) ? [id] : [],
  )
  expect(ids.toSorted()).toMatchInlineSnapshot(`
    [
      "DashboardSiteBucket3926571B",
      "DeploymentLogsE85F76B8",
      "FunctionsDelivererLogs15F8A12B",
      "FunctionsFollowerLogs90B030F2",
      "FunctionsOperationLogs1FE091E3",
      "FunctionsworkqueueLogs2F846071",
      "HttpApiAccessLog37FAD39B",
      "IndexerKey34569D60",
      "OriginSecretsSecret127DD0650",
      "OriginSecretsSecret25B229141",
      "OriginSecretsSecret36BF459C3",
      "PlayerDigestKey11C0EE6CE",
      "PlayerTokenKeyKey1B0CFF6E7",
      "PlayerTokenKeyKey23977C02B",
      "PlayerTokenKeyKey3B1FC6BE8",
      "PlayerTokenKeyKey4D3AB7179",
      "PlayerTokenKeyKey5595EBA54",
      "SignInSecret12822F79A",
      "Table710B521B",
      "UserJwtKeyKey111F9360B",
      "UserJwtKeyKey2243B916C",
      "UserJwtKeyKey3F1E79789",
      "UserJwtKeyKey4C3C5D6B9",
      "UserJwtKeyKey5437F2F86",
      "WebhookQueue199A32A5",
      "WebhookQueueTests32C2F33D",
      "WebhookSecretsSecret1C3BEB38E",
      "WebhookSecretsSecret260BD24FC",
      "WebhookSecretsSecret3E2D46ACA",
      "WorkQueueAD162499",
      "WorkQueueDeadLettersB76E31B9",
    ]
  `)
})

test.each(['a stack', 'a nested stack'])(
  'D69: a circle of references in %s that is synthesized is found',
  (place) => {
    const { app, stack } = serviceApp()
    const scope = place === 'a stack' ? stack : stack.node.findChild('Monitoring')
    const [a, b] = ['A', 'B'].map((id) => new CfnResource(scope, id, { type: 'Test::Part' }))
    a?.addPropertyOverride('Of', { Ref: 'B' })
    b?.addOverride('UpdatePolicy.Of', { Ref: 'A' })
    expect(() => templateOf({ app, stack })).toThrow('dependency cycle: A -> B -> A')
  },
)

const longest = { ...everything, stage: 'stage-with-long-name', protection: 'prod' }

const kinds: readonly Route[] = [
  routes.getProduct,
  routes.createPlayerToken,
  routes.getPlayerDetails,
  routes.getNfts,
]

/** Operations that do not exist, each with a path of its own. */
const madeUp = (count: number, needs: Pick<Route, 'needs'>): Route[] =>
  Array.from({ length: count }, (_, index) => {
    const kind = kinds[index % kinds.length] as Route
    const id = `madeUp${kind.id}${index}`
    return { ...kind, ...needs, id, paths: [`${base}/${id}`] }
  })

const today = templateOf(serviceApp(longest))
const withMore = (count: number, needs: Pick<Route, 'needs'>) =>
  templateOf(serviceApp(longest, { moreOperations: madeUp(count, needs) }))

const resourcesOf = ({ stacks }: ServiceTemplate): Record<string, number> =>
  Object.fromEntries(
    Object.entries(stacks).map(([name, template]) => [name, countsOf(template).resources]),
  )

const places = [
  ['the root', 'root', {}],
  ['the nested stack of sign-in', 'WalletSignIn', { needs: 'walletSignIn' }],
  ['the nested stack of webhooks', 'Webhooks', { needs: 'webhooks' }],
] as const

describe('D147: with everything on', () => {
  test('parameters and outputs have room', () => {
    for (const template of Object.values(today.stacks)) {
      const { parameters, outputs } = countsOf(template)
      expect(Math.max(parameters, outputs)).toBeLessThanOrEqual(stackBudgets.parameters)
    }
  })

  test('policies have room, in the longest Region and partition', () => {
    const sizes = policySizes({ Resources: today.resources })
    expect(sizes.filter(({ id }) => id.includes('InvocationRole'))).toHaveLength(3)
    for (const { id, characters, quota } of sizes) {
      expect(characters, id).toBeLessThanOrEqual(stackBudgets.policyShare * quota)
    }
    const others = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy']
    expect(others.flatMap((type) => today.all(type))).toEqual([])
  })
})

describe.each(places)('D147: twenty more operations in %s', (_, stack, needs) => {
  const full = withMore(20, needs)

  test('take six resources each, and a seventh if updates shift their traffic', () => {
    const [before = 0, after = 0] = [today, full].map((each) => resourcesOf(each)[stack])
    expect(after - before).toBeGreaterThanOrEqual(20 * 6)
    expect(after - before).toBeLessThanOrEqual(20 * 7)
    const { [stack]: __, Monitoring: ___, ...others } = resourcesOf(full)
    expect(resourcesOf(today)).toMatchObject(others)
  })

  test('leave every stack and every policy within its quota', () => {
    expect(quotaFaults(full.templates)).toEqual([])
    expect(Math.max(...Object.values(resourcesOf(full)))).toBeLessThanOrEqual(
      stackBudgets.withTwentyMore,
    )
    for (const template of Object.values(full.stacks)) {
      const { parameters, outputs } = countsOf(template)
      expect(Math.max(parameters, outputs)).toBeLessThanOrEqual(stackBudgets.parameters)
    }
  })
})

test('D147: what does not fit is a sentence for each quota', () => {
  const tooLong = (role: string) =>
    expect.stringMatching(
      new RegExp(
        `^the policy of ${role}\\w+ would take 1\\d{4} characters, and AWS accepts 10240$`,
      ),
    )
  expect(quotaFaults(withMore(70, {}).templates)).toEqual([
    tooLong('HttpApiInvocationRole'),
    tooLong('TrafficShiftingRole'),
    expect.stringMatching(/^the stack has [67]\d\d resources, and CloudFormation accepts 500$/),
  ])
})
