import { Stack, Validations } from 'aws-cdk-lib'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { AwsSolutionsChecks } from 'cdk-nag'
import { describe, expect, test } from 'vitest'
import { functionNames } from '../../infra/bundle/bundle.ts'
import { routes } from '../../lib/contract/routes.ts'
import { prodSettings } from '../support/prod-settings.ts'
import { type Json, serviceApp, serviceTemplate } from '../support/service-template.ts'

const rotating = { playerTokenKeys: ['2', '1'], userJwtKeys: ['1', '2'] }
const { resources, all, only } = serviceTemplate({ ...prodSettings, ...rotating })

/** The name of what a policy is about, by the resource it refers to. */
function nameOf(arn: Json): string {
  const id: string = arn['Fn::GetAtt']?.[0] ?? arn.Ref
  const [name] = /Logs(?=[0-9A-F]{8}$)|KeyKey[12]|^Table|^IndexerKey|^WorkQueue/.exec(id) ?? [id]
  return id.startsWith('PlayerTokenKey') || id.startsWith('UserJwtKey')
    ? `${id.startsWith('U') ? 'UserJwtKey' : 'PlayerTokenKey'}${name.at(-1)}`
    : name
}

/** All that the role of a function may do: `action on resource`. */
function allowedTo(functionName: string): string[] {
  const [, found] =
    all('AWS::Lambda::Function').find(
      ([, { Properties }]) => Properties.FunctionName === `PlayerNfts-prod-${functionName}`,
    ) ?? []
  const role = resources[found?.Properties.Role['Fn::GetAtt'][0]]?.Properties
  expect(role.ManagedPolicyArns).toBeUndefined()
  expect(role.Policies).toHaveLength(1)
  const statements: Json[] = role.Policies[0].PolicyDocument.Statement
  return statements
    .flatMap(({ Effect, Action, Resource, Condition, ...more }) => {
      expect([Effect, Condition, more]).toEqual(['Allow', undefined, {}])
      const actions = [Action].flat()
      return [Resource].flat().flatMap((arn) => actions.map((each) => `${each} on ${nameOf(arn)}`))
    })
    .toSorted()
}

const logs = ['logs:CreateLogStream on Logs', 'logs:PutLogEvents on Logs']
const table = (...actions: string[]) => actions.map((action) => `dynamodb:${action} on Table`)
const keys = (action: string, ...names: string[]) => names.map((name) => `kms:${action} on ${name}`)
const playerTokenKeys = ['PlayerTokenKey1', 'PlayerTokenKey2']
const userJwtKeys = ['UserJwtKey1', 'UserJwtKey2']
const indexerKey = 'secretsmanager:GetSecretValue on IndexerKey'
const send = 'sqs:SendMessage on WorkQueue'

const playerNfts = [
  ...table('BatchGetItem', 'GetItem', 'Query'),
  ...keys('GetPublicKey', ...playerTokenKeys),
  indexerKey,
]

/** Everything that each function may do. A line more or less is a decision to be made here too. */
const expected: Record<string, string[]> = {
  'register-product': table('PutItem'),
  'get-product': table('GetItem'),
  'allowlist-nfts': table('BatchWriteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
  'get-allowed-nfts': table('GetItem', 'Query'),
  'unbind-contract': [...table('DeleteItem', 'GetItem'), send],
  'unbind-nfts': table('DeleteItem', 'GetItem'),
  'refresh-metadata': [...table('DeleteItem', 'GetItem', 'PutItem', 'Query'), indexerKey, send],
  'get-raw-metadata': playerNfts,
  'get-structured-metadata': playerNfts,
  'get-public-key': keys('GetPublicKey', ...userJwtKeys),
  'create-player-token': [
    ...table('PutItem'),
    ...keys('GetPublicKey', ...playerTokenKeys, ...userJwtKeys),
    ...keys('Sign', ...playerTokenKeys),
  ],
  'get-player-details': [
    ...table('GetItem'),
    ...keys('GetPublicKey', ...playerTokenKeys),
    indexerKey,
  ],
  'get-key-set': keys('GetPublicKey', ...playerTokenKeys, ...userJwtKeys),
  'get-openapi': [],
  'work-queue': [
    ...table('BatchWriteItem', 'GetItem', 'PutItem', 'Query'),
    indexerKey,
    send,
    'sqs:DeleteMessage on WorkQueue',
    'sqs:GetQueueAttributes on WorkQueue',
    'sqs:ReceiveMessage on WorkQueue',
  ],
}

describe('least privilege', () => {
  test.each(functionNames)('%s may do exactly this', (name) => {
    expect(expected, `Add the permissions of ${name} to this file.`).toHaveProperty([name])
    expect(allowedTo(name)).toEqual([...logs, ...(expected[name] ?? [])].toSorted())
  })

  test('there is no role or policy beside those of the functions', () => {
    expect(all('AWS::IAM::Role')).toHaveLength(functionNames.length)
    expect([...all('AWS::IAM::Policy'), ...all('AWS::IAM::ManagedPolicy')]).toEqual([])
  })

  test('each role can be taken on by Lambda alone', () => {
    for (const [, { Properties }] of all('AWS::IAM::Role')) {
      expect(Properties.AssumeRolePolicyDocument.Statement).toEqual([
        {
          Action: 'sts:AssumeRole',
          Effect: 'Allow',
          Principal: { Service: 'lambda.amazonaws.com' },
        },
      ])
    }
  })

  test('D22: the role of the login may sign with every user JWT key, in one algorithm', () => {
    const grants = all('AWS::KMS::Key').map(([id, { Properties }]) => [
      id.startsWith('UserJwtKey'),
      Properties.KeyPolicy.Statement.slice(1),
    ])
    const grant = {
      Action: ['kms:GetPublicKey', 'kms:Sign'],
      Condition: { StringEqualsIfExists: { 'kms:SigningAlgorithm': 'ECDSA_SHA_256' } },
      Effect: 'Allow',
      Principal: { AWS: prodSettings.loginRoleArn },
      Resource: '*',
    }
    expect(grants).toEqual([
      [false, []],
      [false, []],
      [true, [grant]],
      [true, [grant]],
    ])
  })
})

describe('wildcards', () => {
  /** The only ones there are, and why. */
  const explained: Record<string, string> = {
    'AWS::KMS::Key Action kms:*':
      'The account itself administers its keys, as in every default key policy.',
    'AWS::KMS::Key Resource *': 'In the policy of a key this is the key itself.',
    'AWS::SQS::QueuePolicy Action sqs:*': 'Denies what does not come by TLS.',
    'AWS::SQS::QueuePolicy Principal *': 'Denies what does not come by TLS.',
    'AWS::SNS::TopicPolicy Principal *': 'Denies what does not come by TLS.',
    'AWS::Lambda::Permission SourceArn /*/*/api/public/v1/…':
      'Any stage and method of this API on this path; the routes say which there are.',
    'AWS::Lambda::Permission SourceArn /*/*/.well-known/jwks.json':
      'Any stage and method of this API on this path; the routes say which there are.',
  }

  test('are only those that are explained', () => {
    const found = Object.values(resources).flatMap(({ Type, Properties }) =>
      statementsOf(Properties).flatMap((statement) =>
        ['Action', 'Resource', 'Principal']
          .flatMap((part) => texts(statement[part]).map((text) => `${Type} ${part} ${text}`))
          .filter((line) => line.includes('*')),
      ),
    )
    const sources = all('AWS::Lambda::Permission').flatMap(([, { Type, Properties }]) =>
      texts(Properties.SourceArn)
        .filter((text) => text.includes('*'))
        .map((text) => `${Type} SourceArn ${text.replace(/(v1\/).*/, '$1…')}`),
    )
    expect(new Set([...found, ...sources])).toEqual(new Set(Object.keys(explained)))
  })

  const statementsOf = ({ Policies = [], KeyPolicy, PolicyDocument }: Json): Json[] =>
    [...Policies.map((policy: Json) => policy.PolicyDocument), KeyPolicy, PolicyDocument].flatMap(
      (document) => document?.Statement ?? [],
    )

  const texts = (value: Json): string[] =>
    typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(texts)
})

describe("AWS's own rules (cdk-nag, AwsSolutions)", () => {
  const findings = (settings: Record<string, unknown>) => {
    const { app, stack } = serviceApp(settings)
    return new AwsSolutionsChecks(app).validateScope(stack).violations
  }

  test.each([
    ['dev', {}],
    ['prod', prodSettings],
    [
      'prod with a domain and closed registration',
      {
        ...prodSettings,
        registrationOpen: false,
        domain: {
          name: 'nfts.example',
          certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/1',
        },
      },
    ],
  ])('find nothing in %s', (_, settings) => {
    expect(findings(settings)).toEqual([])
  })

  test('would find something', () => {
    const { app, stack } = serviceApp()
    new Queue(stack, 'Careless')
    const { violations } = new AwsSolutionsChecks(app).validateScope(stack)
    const rules = violations.map(({ ruleName }) => ruleName)
    expect(rules.toSorted()).toEqual(['AwsSolutions-SQS3', 'AwsSolutions-SQS4'])
  })

  test('are passed over only where a reason is given', () => {
    const { app, stack } = serviceApp(prodSettings)
    const checks = new AwsSolutionsChecks(app, { writeSuppressionsToCloudFormation: true })
    Validations.of(app).addPlugins(checks)
    const { template } = app.synth().getStackByName(Stack.of(stack).stackName)
    const passedOver = Object.values(template.Resources as Json).flatMap(
      ({ Type, Metadata }: Json) =>
        (Metadata?.cdk_nag?.rules_to_suppress ?? []).map((rule: Json) => ({ Type, ...rule })),
    )
    for (const { reason } of passedOver) expect(reason.length).toBeGreaterThan(40)
    const ids = (type: string) => passedOver.flatMap(({ Type, id }) => (Type === type ? [id] : []))
    expect(new Set(passedOver.map(({ id }) => id))).toEqual(
      new Set(['AwsSolutions-APIG4', 'AwsSolutions-SMG4']),
    )
    const paths = Object.values(routes).flatMap((route) => route.paths)
    expect(ids('AWS::ApiGatewayV2::Route')).toHaveLength(paths.length)
    expect(ids('AWS::SecretsManager::Secret')).toHaveLength(1)
  })
})

test('alarms reach the topic, which nobody else may publish to', () => {
  const [deny, allow] = only('AWS::SNS::TopicPolicy').Properties.PolicyDocument.Statement
  expect([deny.Effect, deny.Condition]).toEqual([
    'Deny',
    { Bool: { 'aws:SecureTransport': 'false' } },
  ])
  expect(allow).toMatchObject({
    Effect: 'Allow',
    Action: 'sns:Publish',
    Principal: { Service: 'cloudwatch.amazonaws.com' },
    Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
  })
})
