import { describe, expect, test } from 'vitest'
import { cors } from '../../lib/contract/cors.ts'
import { functionName, operationIds, routes } from '../../lib/contract/routes.ts'
import { prodSettings } from '../support/prod-settings.ts'
import { type Resource, serviceApp, serviceTemplate } from '../support/service-template.ts'

const dev = serviceTemplate()
const prod = serviceTemplate(prodSettings)
const both = [
  ['dev', dev],
  ['prod', prod],
] as const

const functionsOf = ({ all }: typeof dev) =>
  all('AWS::Lambda::Function').map(([, { Properties }]) => Properties)

describe('the functions', () => {
  const names = [...operationIds.map(functionName), 'work-queue']

  test('are one for each row of the route table, and the worker', () => {
    const deployed = functionsOf(prod).map(({ FunctionName }) => FunctionName)
    expect(deployed.toSorted()).toEqual(names.map((name) => `PlayerNfts-prod-${name}`).toSorted())
  })

  test.each(functionsOf(prod).map((each) => [each.FunctionName, each] as const))(
    '%s runs on Node 24, arm64, and logs JSON into a log group of its own',
    (name, { Runtime, Architectures, LoggingConfig, Timeout, Handler }) => {
      expect([Runtime, Architectures, Handler]).toEqual(['nodejs24.x', ['arm64'], 'index.handler'])
      expect(LoggingConfig).toMatchObject({ LogFormat: 'JSON', SystemLogLevel: 'WARN' })
      expect(Timeout).toBe(name.endsWith('work-queue') ? 60 : 29)
    },
  )

  test('share neither role nor log group', () => {
    const roles = functionsOf(prod).map(({ Role }) => JSON.stringify(Role))
    const logs = functionsOf(prod).map(({ LoggingConfig }) =>
      JSON.stringify(LoggingConfig.LogGroup),
    )
    expect(new Set(roles).size).toBe(names.length)
    expect(new Set(logs).size).toBe(names.length)
  })

  test('the worker may go on by messages of its own for as long as it takes', () => {
    const going = functionsOf(prod).filter(({ RecursiveLoop }) => RecursiveLoop === 'Allow')
    expect(going.map(({ FunctionName }) => FunctionName)).toEqual(['PlayerNfts-prod-work-queue'])
  })

  test('the key for the indexer is in no variable: only where the secret is', () => {
    const withSecret = functionsOf(prod).filter(({ Environment }) =>
      JSON.stringify(Environment ?? {}).includes('IndexerKey'),
    )
    expect(withSecret).toHaveLength(5)
    for (const { Environment } of withSecret) {
      const naming = Object.entries(Environment.Variables).filter(([, value]) =>
        JSON.stringify(value).includes('IndexerKey'),
      )
      expect(naming).toEqual([
        ['INDEXER_SECRET_ARN', { Ref: expect.stringMatching(/^IndexerKey/) }],
      ])
    }
    expect(JSON.stringify(prod.resources)).not.toContain('{{resolve:')
  })
})

describe('the HTTP API', () => {
  test('has a route for each path of the route table, answered by its function', () => {
    const deployed = prod.all('AWS::ApiGatewayV2::Route').map(([, { Properties }]) => {
      const [, integrationId] = Properties.Target['Fn::Join'][1].map(
        (part: { Ref?: string }) => part.Ref,
      )
      const { IntegrationUri, PayloadFormatVersion } = (prod.resources[integrationId] as Resource)
        .Properties
      const handler = prod.resources[IntegrationUri['Fn::GetAtt'][0]] as Resource
      return [Properties.RouteKey, handler.Properties.FunctionName, PayloadFormatVersion]
    })
    const declared = operationIds.flatMap((id) =>
      routes[id].paths.map((path) => [
        `${routes[id].method} ${path}`,
        `PlayerNfts-prod-${functionName(id)}`,
        '2.0',
      ]),
    )
    expect(deployed.toSorted()).toEqual(declared.toSorted())
  })

  test('D6: lets every page in, without cookies', () => {
    expect(prod.only('AWS::ApiGatewayV2::Api').Properties.CorsConfiguration).toEqual({
      AllowOrigins: ['*'],
      AllowMethods: cors.allowMethods,
      AllowHeaders: cors.allowHeaders,
      ExposeHeaders: cors.exposeHeaders,
      MaxAge: cors.maxAgeSeconds,
    })
  })

  test('throttles every open route by itself, and all others together', () => {
    const { RouteSettings, DefaultRouteSettings } = prod.only('AWS::ApiGatewayV2::Stage').Properties
    const open = Object.values(routes).filter(({ auth }) => auth === 'NONE')
    const keys = open.flatMap(({ method, paths }) => paths.map((path) => `${method} ${path}`))
    expect(Object.keys(RouteSettings).toSorted()).toEqual(keys.toSorted())
    for (const throttle of [...Object.values(RouteSettings), DefaultRouteSettings]) {
      expect(throttle).toEqual({
        ThrottlingRateLimit: expect.any(Number),
        ThrottlingBurstLimit: expect.any(Number),
      })
    }
  })

  test('is deployed after its routes, whose throttles API Gateway would not know otherwise', () => {
    const stage = prod.only('AWS::ApiGatewayV2::Stage') as Resource & { DependsOn: string[] }
    const routeIds = prod.all('AWS::ApiGatewayV2::Route').map(([id]) => id)
    expect(stage.DependsOn).toEqual(expect.arrayContaining(routeIds))
  })

  test('D5: logs each request as JSON, without path, query string or headers', () => {
    const { Format } = prod.only('AWS::ApiGatewayV2::Stage').Properties.AccessLogSettings
    expect(Object.values(JSON.parse(Format))).toEqual([
      '$context.requestId',
      '$context.requestTime',
      '$context.identity.sourceIp',
      '$context.routeKey',
      '$context.status',
      '$context.responseLength',
      '$context.responseLatency',
      '$context.integrationLatency',
      '$context.error.message',
      '$context.integrationErrorMessage',
    ])
  })
})

describe('the table', () => {
  test.each(both)('in %s: on demand, encrypted, restorable, with time to live', (_, { only }) => {
    expect(only('AWS::DynamoDB::Table').Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      SSESpecification: { SSEEnabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    })
  })

  test('outlives a production stack, and is not deleted by mistake', () => {
    const table = prod.only('AWS::DynamoDB::Table')
    expect(table.Properties.DeletionProtectionEnabled).toBe(true)
    expect([table.DeletionPolicy, table.UpdateReplacePolicy]).toEqual(['Retain', 'Retain'])
    expect(dev.only('AWS::DynamoDB::Table').Properties.DeletionProtectionEnabled).toBe(false)
  })
})

describe('what else must not be lost', () => {
  test('a production stack cannot be removed by one command', () => {
    const isProtected = (settings: Record<string, unknown>) =>
      serviceApp(settings).stack.terminationProtection
    expect([isProtected(prodSettings), isProtected({})]).toEqual([true, false])
  })

  test.each(['AWS::KMS::Key', 'AWS::SecretsManager::Secret', 'AWS::Logs::LogGroup'])(
    '%s outlives a production stack, and goes with a stack for trying out',
    (type) => {
      const policies = ({ all }: typeof dev) =>
        new Set(all(type).map(([, resource]) => resource.DeletionPolicy))
      expect([policies(prod), policies(dev)]).toEqual([new Set(['Retain']), new Set(['Delete'])])
    },
  )

  test.each(both)('every log group in %s has a retention', (stage, { all }) => {
    const days = all('AWS::Logs::LogGroup').map(([, { Properties }]) => Properties.RetentionInDays)
    expect(days).toEqual(Array(operationIds.length + 2).fill(stage === 'prod' ? 90 : 14))
  })
})

describe('the keys', () => {
  test('D22, D23: are P-256 keys to sign with, one for each kind of token', () => {
    const keys = prod.all('AWS::KMS::Key').map(([, { Properties }]) => Properties)
    expect(keys).toHaveLength(2)
    for (const key of keys) {
      expect(key).toMatchObject({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' })
    }
    const aliases = prod.all('AWS::KMS::Alias').map(([, { Properties }]) => Properties.AliasName)
    expect(aliases.toSorted()).toEqual([
      'alias/PlayerNfts-prod/player-token',
      'alias/PlayerNfts-prod/user-jwt',
    ])
  })
})

describe('the work queue', () => {
  test('sets a message aside after five failures, and keeps it for 14 days', () => {
    const queues = prod.all('AWS::SQS::Queue')
    const [, queue] = queues.find(([, { Properties }]) => Properties.RedrivePolicy) ?? []
    const deadLettersId = queue?.Properties.RedrivePolicy.deadLetterTargetArn['Fn::GetAtt'][0]
    expect(queue?.Properties.RedrivePolicy.maxReceiveCount).toBe(5)
    expect(queues.map(([id]) => id)).toContain(deadLettersId)
    for (const [, { Properties }] of queues) {
      expect(Properties).toMatchObject({
        SqsManagedSseEnabled: true,
        MessageRetentionPeriod: 14 * 86_400,
      })
    }
    expect(queue?.Properties.VisibilityTimeout).toBe(6 * 60)
  })

  test('hands its messages to the worker, which says which of them failed', () => {
    const { FunctionName, ...mapping } = prod.only('AWS::Lambda::EventSourceMapping').Properties
    const worker = prod.resources[FunctionName.Ref] as Resource
    expect(worker.Properties.FunctionName).toBe('PlayerNfts-prod-work-queue')
    expect(mapping).toMatchObject({
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 5 },
    })
  })
})

describe('the outputs', () => {
  test('are what operators and tests are told', () => {
    expect(Object.keys(prod.outputs).toSorted()).toEqual([
      'ApiUrl',
      'DeadLetterQueueUrl',
      'IndexerSecretArn',
      'PlayerTokenKeyArn',
      'QueueUrl',
      'TableName',
      'UserJwtKeyArn',
    ])
  })
})
