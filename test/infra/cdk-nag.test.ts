import { Validations } from 'aws-cdk-lib'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { AwsSolutionsChecks } from 'cdk-nag'
import { describe, expect, test } from 'vitest'
import { usualRoutes } from '../support/operations.ts'
import { backup, edge, everything, prodSettings, retainedKey } from '../support/prod-settings.ts'
import { type Json, serviceApp, templateOf } from '../support/service-template.ts'

const prod = serviceApp(prodSettings)
Validations.of(prod.app).addPlugins(
  new AwsSolutionsChecks(prod.app, { writeSuppressionsToCloudFormation: true }),
)
const { resources } = templateOf(prod)

describe('the AwsSolutions rules of cdk-nag', () => {
  const violationsIn = ({ app, stack }: ReturnType<typeof serviceApp>) =>
    new AwsSolutionsChecks(app).validateScope(stack).violations

  test('have no finding in prod', () => {
    expect(violationsIn(prod)).toEqual([])
  })

  test('have no finding in prod with a domain and closed registration', () => {
    const certificateArn = 'arn:aws:acm:eu-west-1:123456789012:certificate/1'
    const domain = { name: 'nfts.example', certificateArn }
    const closed = serviceApp({ ...prodSettings, registrationOpen: false, domain })
    expect(violationsIn(closed)).toEqual([])
  })

  test('have no finding with a distribution, whether it has a domain and a web ACL or not', () => {
    expect(violationsIn(serviceApp({ ...prodSettings, edge: {} }))).toEqual([])
    expect(violationsIn(serviceApp({ ...prodSettings, edge }))).toEqual([])
  })

  test('have no finding with a backup in another account, and a key for the table', () => {
    const settings = { ...prodSettings, backup, tableKeyArn: retainedKey }
    expect(violationsIn(serviceApp(settings))).toEqual([])
  })

  test('have no finding with the dashboard', () => {
    expect(violationsIn(serviceApp({ ...prodSettings, edge, dashboard: true }))).toEqual([])
  })

  test('have no finding with everything on, also in the nested stacks', () => {
    expect(violationsIn(serviceApp(everything))).toEqual([])
  })

  test.each(['the stack', 'a nested stack'])(
    'find a queue without TLS and dead-letter queue in %s of dev, and nothing else',
    (place) => {
      const dev = serviceApp()
      const nested = dev.stack.node.findChild('Monitoring')
      new Queue(place === 'the stack' ? dev.stack : nested, 'Careless')
      const rules = violationsIn(dev).map(({ ruleName }) => ruleName)
      expect(rules.toSorted()).toEqual(['AwsSolutions-SQS3', 'AwsSolutions-SQS4'])
    },
  )

  test('have exceptions only with a reason', () => {
    const suppressed = Object.values(resources as Json).flatMap(({ Type, Metadata }: Json) =>
      (Metadata?.cdk_nag?.rules_to_suppress ?? []).map((rule: Json) => ({ Type, ...rule })),
    )
    for (const { reason } of suppressed) expect(reason.length).toBeGreaterThan(40)
    const ids = (type: string) => suppressed.flatMap(({ Type, id }) => (Type === type ? [id] : []))
    const paths = usualRoutes.flatMap((route) => route.paths)
    expect(ids('AWS::ApiGatewayV2::Route')).toEqual(Array(paths.length).fill('AwsSolutions-APIG4'))
    expect(ids('AWS::SecretsManager::Secret')).toEqual(Array(2).fill('AwsSolutions-SMG4'))
    expect(new Set(ids('AWS::IAM::Role'))).toEqual(new Set(['AwsSolutions-IAM5[Resource::*]']))
    expect(new Set(suppressed.map(({ id }) => id)).size).toBe(3)
  })
})
