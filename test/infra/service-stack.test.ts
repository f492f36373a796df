import { describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import { cors } from '../../lib/contract/cors.ts'
import { functionName } from '../../lib/contract/route.ts'
import { usualOperationIds, usualRoutes } from '../support/operations.ts'
import { everything, prodSettings } from '../support/prod-settings.ts'
import {
  aliasedFunction,
  inRegion,
  type Resource,
  serviceApp,
  serviceTemplate,
  templateOf,
} from '../support/service-template.ts'

const devApp = serviceApp()
const prodApp = serviceApp(prodSettings)
const dev = templateOf(devApp)
const prod = templateOf(prodApp)
const both = [
  ['dev', dev],
  ['prod', prod],
] as const

const functions = prod.propertiesOf('AWS::Lambda::Function')

test('the outputs are those that commands and runbooks read', () => {
  expect(Object.keys(prod.outputs).toSorted()).toEqual([
    ...['ApiUrl', 'DeadLetterQueueUrl', 'IndexerNetworks', 'IndexerSecretArn'],
    ...['PlayerDigestSecretArn', 'PlayerTokenKeyArn', 'QueueUrl', 'TableName', 'UserJwtKeyArn'],
  ])
})

describe('the functions', () => {
  const names = [...usualOperationIds.map(functionName), 'work-queue', 'deployment-checks']

  test('are one for each operation of the route table, the worker, and the checks of a deployment', () => {
    const deployed = functions.map(({ FunctionName }) => FunctionName)
    expect(deployed.toSorted()).toEqual(names.map((name) => `PlayerNfts-prod-${name}`).toSorted())
  })

  test.each(functions.map((each) => [each.FunctionName, each] as const))(
    '%s runs on Node 24 and arm64, and logs JSON',
    (name, { Runtime, Architectures, LoggingConfig, Timeout, Handler }) => {
      expect([Runtime, Architectures, Handler]).toEqual(['nodejs24.x', ['arm64'], 'index.handler'])
      expect(LoggingConfig).toMatchObject({ LogFormat: 'JSON', SystemLogLevel: 'WARN' })
      expect(Timeout).toBe(/-(work-queue|deployment-checks)$/.test(name) ? 60 : 29)
    },
  )

  test('D83: of operations share a log group, and the others have their own', () => {
    const logs = functions.map(({ LoggingConfig }) => LoggingConfig.LogGroup.Ref)
    const shared = logs.filter((id) => id.startsWith('FunctionsOperationLogs'))
    expect(shared).toHaveLength(usualOperationIds.length)
    expect(new Set(logs).size).toBe(1 + names.length - usualOperationIds.length)
  })

  test('only the worker may be invoked recursively', () => {
    const recursive = functions.filter(({ RecursiveLoop }) => RecursiveLoop === 'Allow')
    expect(recursive.map(({ FunctionName }) => FunctionName)).toEqual([
      'PlayerNfts-prod-work-queue',
    ])
  })

  test('environment variables hold the ARN of the indexer secret, never the key', () => {
    const withSecret = functions.filter(({ Environment }) =>
      JSON.stringify(Environment ?? {}).includes('IndexerKey'),
    )
    expect(withSecret).toHaveLength(6)
    for (const { Environment } of withSecret) {
      const variables = Object.entries(Environment.Variables).filter(([, value]) =>
        JSON.stringify(value).includes('IndexerKey'),
      )
      expect(variables).toEqual([
        ['INDEXER_SECRET_ARN', { Ref: expect.stringMatching(/^IndexerKey/) }],
      ])
    }
    const text = JSON.stringify(prod.resources)
    const resolved = [...text.matchAll(/\{\{resolve:\w+:",\{"Ref":"(\w+)"/g)].map(([, id]) => id)
    expect(new Set(resolved)).toEqual(new Set([expect.stringMatching(/^PlayerDigestKey1/)]))
    expect(text.match(/\{\{resolve:/g)).toHaveLength(resolved.length)
  })
})

describe('the HTTP API', () => {
  test('has a route to its function for each path of the route table', () => {
    const deployed = prod.all('AWS::ApiGatewayV2::Route').map(([, { Properties }]) => {
      const [, integrationId] = Properties.Target['Fn::Join'][1].map(
        (part: { Ref?: string }) => part.Ref,
      )
      const { IntegrationUri, PayloadFormatVersion } = (prod.resources[integrationId] as Resource)
        .Properties
      return [Properties.RouteKey, aliasedFunction(prod, IntegrationUri), PayloadFormatVersion]
    })
    const declared = usualOperationIds.flatMap((id) =>
      routes[id].paths.map((path) => [
        `${routes[id].method} ${path}`,
        `PlayerNfts-prod-${functionName(id)}`,
        '2.0',
      ]),
    )
    expect(deployed.toSorted()).toEqual(declared.toSorted())
  })

  test('D6: allows every origin, without cookies', () => {
    expect(prod.only('AWS::ApiGatewayV2::Api').Properties.CorsConfiguration).toEqual({
      AllowOrigins: ['*'],
      AllowMethods: cors.allowMethods,
      AllowHeaders: cors.allowHeaders,
      ExposeHeaders: cors.exposeHeaders,
      MaxAge: cors.maxAgeSeconds,
    })
  })

  test('has a throttle for each open route, for player tokens, and for all other routes', () => {
    const { RouteSettings, DefaultRouteSettings } = prod.only('AWS::ApiGatewayV2::Stage').Properties
    const own = usualRoutes.filter(({ auth }) => auth !== 'PRODUCT')
    const keys = own.flatMap(({ method, paths }) => paths.map((path) => `${method} ${path}`))
    expect(Object.keys(RouteSettings).toSorted()).toEqual(keys.toSorted())
    const throttles = [...Object.values(RouteSettings), DefaultRouteSettings]
    for (const throttle of inRegion(prod, 'eu-central-1', throttles)) {
      expect(throttle).toEqual({
        ThrottlingRateLimit: expect.any(Number),
        ThrottlingBurstLimit: expect.any(Number),
      })
    }
  })

  test('deploys the stage after its routes, because API Gateway rejects throttles of unknown routes', () => {
    const stage = prod.only('AWS::ApiGatewayV2::Stage') as Resource & { DependsOn: string[] }
    const routeIds = prod.all('AWS::ApiGatewayV2::Route').map(([id]) => id)
    expect(stage.DependsOn).toEqual(expect.arrayContaining(routeIds))
  })
})

describe('the table', () => {
  test.each(both)(
    'in %s is on demand, encrypted and restorable, with time to live',
    (_, { only }) => {
      expect(only('AWS::DynamoDB::Table').Properties).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        // The key of DynamoDB, which costs nothing.
        SSESpecification: { SSEEnabled: false },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        ContributorInsightsSpecification: { Enabled: true, Mode: 'THROTTLED_KEYS' },
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
      })
    },
  )

  test('remains after the removal of a production stack, and has deletion protection', () => {
    const table = prod.only('AWS::DynamoDB::Table')
    expect(table.Properties.DeletionProtectionEnabled).toBe(true)
    // A table that a failed first deployment has created does not remain (D68).
    expect([table.DeletionPolicy, table.UpdateReplacePolicy]).toEqual([
      'RetainExceptOnCreate',
      'Retain',
    ])
    expect(dev.only('AWS::DynamoDB::Table').Properties.DeletionProtectionEnabled).toBe(false)
  })
})

describe('the data of a production stack', () => {
  test('has termination protection', () => {
    const isProtected = [prodApp, devApp].map(({ stack }) => stack.terminationProtection)
    expect(isProtected).toEqual([true, false])
  })

  test.each(['AWS::KMS::Key', 'AWS::SecretsManager::Secret', 'AWS::Logs::LogGroup'])(
    '%s remains after the removal of a production stack, but not of a dev stack',
    (type) => {
      const policies = ({ all }: typeof dev) =>
        new Set(all(type).map(([, resource]) => resource.DeletionPolicy))
      expect([policies(prod), policies(dev)]).toEqual([
        new Set(['RetainExceptOnCreate']),
        new Set(['Delete']),
      ])
    },
  )

  test.each(both)('every log group in %s has a retention period', (stage, { propertiesOf }) => {
    const days = propertiesOf('AWS::Logs::LogGroup').map(({ RetentionInDays }) => RetentionInDays)
    // Of the operations, the worker, the checks of a deployment, and API Gateway.
    expect(days).toEqual(Array(4).fill(stage === 'prod' ? 90 : 14))
  })
})

test('every secret is generated, and is not in the template', () => {
  const secrets = serviceTemplate(everything).all('AWS::SecretsManager::Secret')
  const kinds = secrets.map(([id]) => id.replace(/Secret\d.*|Key.*/, ''))
  expect(new Set(kinds)).toEqual(
    new Set(['Indexer', 'PlayerDigest', 'SignIn', 'OriginSecrets', 'WebhookSecrets']),
  )
  for (const [id, { Properties }] of secrets) {
    const own = {
      ExcludePunctuation: true,
      ...(!id.startsWith('Indexer') && { PasswordLength: 43 }),
    }
    expect([id, Properties.GenerateSecretString]).toEqual([id, own])
    expect(Properties).not.toHaveProperty('SecretString')
  }
})

describe('the keys', () => {
  test('D22, D23: are P-256 signing keys, one for user JWTs and one for player tokens', () => {
    const key = { KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' }
    expect(prod.propertiesOf('AWS::KMS::Key')).toMatchObject([key, key])
    const aliases = prod.propertiesOf('AWS::KMS::Alias').map(({ AliasName }) => AliasName)
    expect(aliases.toSorted()).toEqual([
      'alias/PlayerNfts-prod/player-token',
      'alias/PlayerNfts-prod/user-jwt',
    ])
  })
})

describe('the background queue', () => {
  test('moves a message to the dead-letter queue after five failures, and keeps it for 14 days', () => {
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

  test('invokes the worker, which reports failed messages', () => {
    const { FunctionName, ...mapping } = prod.only('AWS::Lambda::EventSourceMapping').Properties
    expect(aliasedFunction(prod, FunctionName)).toBe('PlayerNfts-prod-work-queue')
    expect(mapping).toMatchObject({
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 5 },
    })
  })
})
