import { describe, expect, test } from 'vitest'
import { functionNames } from '../../infra/bundle/bundle.ts'
import { uploadName } from '../../infra/dashboard/dashboard-site.ts'
import { checksName } from '../../infra/deployment/deployment-checks.ts'
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
/** The permissions of the functions that only the deployment runs, beside their logs. */
const ofDeployment: Record<string, string[]> = {
  [checksName]: [
    'cloudformation:DescribeStacks on AWS::StackId',
    'kms:GetPublicKey on PlayerTokenKey1',
    'kms:GetPublicKey on PlayerTokenKey2',
    'kms:ListAliases on *',
    'lambda:GetAccountSettings on *',
  ],
  [uploadName]: [
    's3:DeleteObject on files of DashboardSiteBucket',
    's3:ListBucket on DashboardSiteBucket',
    's3:PutObject on files of DashboardSiteBucket',
  ],
}

const allNames = [
  ...functionNames.filter((name) => name !== followerName),
  ...[followerNameOf('POLYGON'), ...Object.keys(ofDeployment)],
]

const isOfLogs = (permission: string) => permission.startsWith('logs:')

describe('least privilege', () => {
  // test/service/permissions.test.ts compares the other permissions of the operations, the worker and the follower with
  // what their code does.
  test.each(allNames)('%s can do nothing with logs but write its own', (name) => {
    expect(allowedTo(name).filter(isOfLogs)).toEqual(logs)
  })

  test.each(Object.entries(ofDeployment))('%s has exactly its permissions', (name, expected) => {
    expect(allowedTo(name).filter((permission) => !isOfLogs(permission))).toEqual(expected)
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
    'AWS::IAM::Role Resource *': 'Names of aliases and quotas of Lambda belong to no resource.',
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
