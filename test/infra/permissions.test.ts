import { describe, expect, test } from 'vitest'
import { functionNames } from '../../infra/bundle/bundle.ts'
import { uploadName } from '../../infra/dashboard-site.ts'
import { checksName } from '../../infra/deployment-checks.ts'
import { followerName, followerNameOf } from '../../lib/contract/follower-name.ts'
import { prodSettings } from '../support/prod-settings.ts'
import { rolePermissions } from '../support/role-permissions.ts'
import { type Json, serviceTemplate } from '../support/service-template.ts'

const rotating = { playerTokenKeys: ['2', '1'], userJwtKeys: ['1', '2'] }
const template = serviceTemplate({
  ...{ ...prodSettings, ...rotating },
  ...{ edge: {}, dashboard: true, followedChains: ['POLYGON'] },
})
const { all, only, resources } = template

const allowedTo = (functionName: string) => rolePermissions(template, functionName)

const logs = ['logs:CreateLogStream on Logs', 'logs:PutLogEvents on Logs']
const table = (...actions: string[]) => actions.map((action) => `dynamodb:${action} on Table`)
const writes = (partition: string, ...actions: string[]) =>
  table(...actions).map((permission) => `${permission} for ${partition}#*`)
const keys = (action: string, ...names: string[]) => names.map((name) => `kms:${action} on ${name}`)
const playerTokenKeys = ['PlayerTokenKey1', 'PlayerTokenKey2']
const userJwtKeys = ['UserJwtKey1', 'UserJwtKey2']
const indexerKey = 'secretsmanager:GetSecretValue on IndexerKey'
const send = 'sqs:SendMessage on WorkQueue'

const readingProduct = [...table('GetItem'), ...writes('PRODUCT', 'UpdateItem')]
const changingProduct = [...readingProduct, ...writes('PRODUCT', 'PutItem')]
const addingKeys = [
  ...changingProduct,
  ...table('BatchGetItem'),
  ...writes('API_KEY', 'DeleteItem', 'PutItem'),
]

const playerNfts = [
  ...readingProduct,
  ...table('BatchGetItem', 'Query'),
  ...writes('PLAYER', 'UpdateItem'),
  // What is remembered of a wallet, and the leases of the contracts that are followed.
  ...writes('WALLET', 'PutItem'),
  ...writes('FOLLOW', 'UpdateItem'),
  ...keys('GetPublicKey', ...playerTokenKeys),
  indexerKey,
]

/** All permissions of each function. A change of infra/permissions.ts must be repeated here. */
const expected: Record<string, string[]> = {
  'register-product': [
    ...changingProduct,
    ...writes('API_KEY', 'PutItem'),
    ...writes('REGISTRATIONS', 'UpdateItem'),
  ],
  'get-product': readingProduct,
  'update-product': changingProduct,
  'delete-product': [...changingProduct, send],
  'create-key': addingKeys,
  'list-keys': [...readingProduct, ...table('Query')],
  'rotate-key': addingKeys,
  'end-key': [...changingProduct, ...writes('API_KEY', 'DeleteItem')],
  'allowlist-nfts': [
    ...changingProduct,
    ...table('BatchGetItem', 'Query'),
    ...writes('BINDING', 'BatchWriteItem', 'PutItem'),
  ],
  'get-allowed-nfts': [...readingProduct, ...table('Query')],
  'get-nfts': [...readingProduct, ...table('BatchGetItem', 'Query'), indexerKey],
  'get-contracts': [...readingProduct, ...table('BatchGetItem', 'Query')],
  'get-events': [...readingProduct, ...table('Query')],
  'get-usage': [...readingProduct, ...table('Query')],
  'unbind-contract': [...changingProduct, ...writes('PRODUCT', 'DeleteItem'), send],
  'unbind-nfts': [
    ...changingProduct,
    ...table('BatchGetItem', 'Query'),
    ...writes('BINDING', 'BatchWriteItem', 'DeleteItem'),
  ],
  'unbind-nft-list': [
    ...changingProduct,
    ...table('BatchGetItem', 'Query'),
    ...writes('BINDING', 'BatchWriteItem'),
  ],
  'refresh-metadata': [...changingProduct, ...table('BatchGetItem', 'Query'), indexerKey, send],
  'get-raw-metadata': playerNfts,
  'get-structured-metadata': playerNfts,
  'get-public-key': keys('GetPublicKey', ...userJwtKeys),
  'create-player-token': [
    ...table('GetItem'),
    ...writes('PLAYER', 'UpdateItem'),
    ...keys('GetPublicKey', ...playerTokenKeys, ...userJwtKeys),
    ...keys('Sign', ...playerTokenKeys),
  ],
  'get-player-details': [
    ...table('BatchGetItem'),
    ...writes('PLAYER', 'UpdateItem'),
    ...keys('GetPublicKey', ...playerTokenKeys),
    indexerKey,
  ],
  'get-key-set': keys('GetPublicKey', ...playerTokenKeys, ...userJwtKeys),
  'get-openapi': [],
  'work-queue': [
    ...changingProduct,
    ...table('Query'),
    ...writes('PRODUCT', 'BatchWriteItem', 'DeleteItem'),
    ...writes('API_KEY', 'BatchWriteItem'),
    ...writes('BINDING', 'BatchWriteItem'),
    indexerKey,
    send,
    'sqs:DeleteMessage on WorkQueue',
    'sqs:GetQueueAttributes on WorkQueue',
    'sqs:ReceiveMessage on WorkQueue',
  ],
  [followerNameOf('POLYGON')]: [
    ...table('GetItem', 'Query'),
    ...writes('FOLLOW', 'UpdateItem'),
    ...writes('WALLET', 'UpdateItem'),
    indexerKey,
  ],
  'deployment-checks': [
    'kms:ListAliases on *',
    ...keys('GetPublicKey', ...playerTokenKeys),
    'cloudformation:DescribeStacks on AWS::StackId',
  ],
  'dashboard-upload': [
    's3:DeleteObject on files of DashboardSiteBucket',
    's3:ListBucket on DashboardSiteBucket',
    's3:PutObject on files of DashboardSiteBucket',
  ],
}

const allNames = [
  ...functionNames.filter((name) => name !== followerName),
  ...[followerNameOf('POLYGON'), checksName, uploadName],
]

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
})

describe('wildcards', () => {
  /** The allowed wildcards, with their reasons. */
  const explained: Record<string, string> = {
    'AWS::IAM::Role Resource *': 'kms:ListAliases cannot be restricted to a resource.',
    'AWS::IAM::Role Resource /*':
      'The bucket of the dashboard has no other objects than its files.',
    'AWS::S3::BucketPolicy Action s3:*': 'Denies requests without TLS.',
    'AWS::S3::BucketPolicy Principal *': 'Denies requests without TLS.',
    'AWS::S3::BucketPolicy Resource /*': 'The distribution reads all files of the dashboard.',
    'AWS::KMS::Key Action kms:*': 'The account administers its keys, as in the default key policy.',
    'AWS::KMS::Key Principal *': 'Denies signing to everybody but a role (D70).',
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
