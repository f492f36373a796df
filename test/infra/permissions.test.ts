import { Validations } from 'aws-cdk-lib'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { AwsSolutionsChecks } from 'cdk-nag'
import { describe, expect, test } from 'vitest'
import { functionNames } from '../../infra/bundle/bundle.ts'
import { checksName } from '../../infra/deployment-checks.ts'
import { routes } from '../../lib/contract/routes.ts'
import { edge, prodSettings } from '../support/prod-settings.ts'
import { type Json, serviceApp, templateOf } from '../support/service-template.ts'

const rotating = { playerTokenKeys: ['2', '1'], userJwtKeys: ['1', '2'] }
const prod = serviceApp({ ...prodSettings, ...rotating })
Validations.of(prod.app).addPlugins(
  new AwsSolutionsChecks(prod.app, { writeSuppressionsToCloudFormation: true }),
)
const { resources, all, only } = templateOf(prod)

/** The name of the resource that an ARN in a policy refers to. */
function nameOf(arn: Json): string {
  if (typeof arn === 'string') return arn
  const id: string = arn['Fn::GetAtt']?.[0] ?? arn.Ref
  const [name] = /Logs(?=[0-9A-F]{8}$)|KeyKey[12]|^Table|^IndexerKey|^WorkQueue/.exec(id) ?? [id]
  return id.startsWith('PlayerTokenKey') || id.startsWith('UserJwtKey')
    ? `${id.startsWith('U') ? 'UserJwtKey' : 'PlayerTokenKey'}${name.at(-1)}`
    : name
}

/** The permissions of a function's role, as `action on resource`. */
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
  ...table('BatchGetItem', 'GetItem', 'Query', 'UpdateItem'),
  ...keys('GetPublicKey', ...playerTokenKeys),
  indexerKey,
]

/** All permissions of each function. A change of infra/permissions.ts must be repeated here. */
const expected: Record<string, string[]> = {
  'register-product': table('GetItem', 'PutItem', 'UpdateItem'),
  'get-product': table('GetItem', 'UpdateItem'),
  'update-product': table('GetItem', 'PutItem', 'UpdateItem'),
  'delete-product': [...table('GetItem', 'PutItem', 'UpdateItem'), send],
  'create-key': table('DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'),
  'list-keys': table('GetItem', 'Query', 'UpdateItem'),
  'rotate-key': table('DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'),
  'end-key': table('DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'),
  'allowlist-nfts': table(
    'BatchGetItem',
    'BatchWriteItem',
    'GetItem',
    'PutItem',
    'Query',
    'UpdateItem',
  ),
  'get-allowed-nfts': table('GetItem', 'Query', 'UpdateItem'),
  'get-contracts': table('GetItem', 'Query', 'UpdateItem'),
  'get-events': table('GetItem', 'Query', 'UpdateItem'),
  'get-usage': table('GetItem', 'Query', 'UpdateItem'),
  'unbind-contract': [...table('DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'), send],
  'unbind-nfts': table('DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'),
  'unbind-nft-list': table('BatchGetItem', 'BatchWriteItem', 'GetItem', 'PutItem', 'UpdateItem'),
  'refresh-metadata': [
    ...table('BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    indexerKey,
    send,
  ],
  'get-raw-metadata': playerNfts,
  'get-structured-metadata': playerNfts,
  'get-public-key': keys('GetPublicKey', ...userJwtKeys),
  'create-player-token': [
    ...table('GetItem', 'UpdateItem'),
    ...keys('GetPublicKey', ...playerTokenKeys, ...userJwtKeys),
    ...keys('Sign', ...playerTokenKeys),
  ],
  'get-player-details': [
    ...table('BatchGetItem', 'UpdateItem'),
    ...keys('GetPublicKey', ...playerTokenKeys),
    indexerKey,
  ],
  'get-key-set': keys('GetPublicKey', ...playerTokenKeys, ...userJwtKeys),
  'get-openapi': [],
  'work-queue': [
    ...table('BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    indexerKey,
    send,
    'sqs:DeleteMessage on WorkQueue',
    'sqs:GetQueueAttributes on WorkQueue',
    'sqs:ReceiveMessage on WorkQueue',
  ],
  'deployment-checks': ['kms:ListAliases on *'],
}

const allNames = [...functionNames, checksName]

describe('least privilege', () => {
  test.each(allNames)('%s has exactly its permissions', (name) => {
    expect(expected, `Add the permissions of ${name} to this file.`).toHaveProperty([name])
    expect(allowedTo(name)).toEqual([...logs, ...(expected[name] ?? [])].toSorted())
  })

  test('only functions have roles and policies', () => {
    expect(all('AWS::IAM::Role')).toHaveLength(allNames.length)
    expect([...all('AWS::IAM::Policy'), ...all('AWS::IAM::ManagedPolicy')]).toEqual([])
  })

  test('only Lambda can assume the roles', () => {
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

  test('D22: the role of the login can sign with every user JWT key, with one algorithm', () => {
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
  /** The allowed wildcards, with their reasons. */
  const explained: Record<string, string> = {
    'AWS::IAM::Role Resource *': 'kms:ListAliases cannot be restricted to a resource.',
    'AWS::KMS::Key Action kms:*': 'The account administers its keys, as in the default key policy.',
    'AWS::KMS::Key Resource *': 'In a key policy, `*` means the key itself.',
    'AWS::SQS::QueuePolicy Action sqs:*': 'Denies requests without TLS.',
    'AWS::SQS::QueuePolicy Principal *': 'Denies requests without TLS.',
    'AWS::SNS::TopicPolicy Principal *': 'Denies requests without TLS.',
    'AWS::Lambda::Permission SourceArn /*/*/api/public/v1/…':
      'Any stage and method of this path of the API; the routes determine which exist.',
    'AWS::Lambda::Permission SourceArn /*/*/.well-known/jwks.json':
      'Any stage and method of this path of the API; the routes determine which exist.',
  }

  test('have a reason each', () => {
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

test('only alarms of the account can publish to the topic', () => {
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

  test('find a queue without TLS and dead-letter queue in dev, and nothing else', () => {
    const dev = serviceApp()
    new Queue(dev.stack, 'Careless')
    const rules = violationsIn(dev).map(({ ruleName }) => ruleName)
    expect(rules.toSorted()).toEqual(['AwsSolutions-SQS3', 'AwsSolutions-SQS4'])
  })

  test('have exceptions only with a reason', () => {
    const suppressed = Object.values(resources as Json).flatMap(({ Type, Metadata }: Json) =>
      (Metadata?.cdk_nag?.rules_to_suppress ?? []).map((rule: Json) => ({ Type, ...rule })),
    )
    for (const { reason } of suppressed) expect(reason.length).toBeGreaterThan(40)
    const ids = (type: string) => suppressed.flatMap(({ Type, id }) => (Type === type ? [id] : []))
    const paths = Object.values(routes).flatMap((route) => route.paths)
    expect(ids('AWS::ApiGatewayV2::Route')).toEqual(Array(paths.length).fill('AwsSolutions-APIG4'))
    expect(ids('AWS::SecretsManager::Secret')).toEqual(['AwsSolutions-SMG4'])
    expect(new Set(ids('AWS::IAM::Role'))).toEqual(new Set(['AwsSolutions-IAM5[Resource::*]']))
    expect(new Set(suppressed.map(({ id }) => id)).size).toBe(3)
  })
})
