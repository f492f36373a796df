import { Validations } from 'aws-cdk-lib'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { AwsSolutionsChecks } from 'cdk-nag'
import { describe, expect, test } from 'vitest'
import { functionNames } from '../../infra/bundle/bundle.ts'
import { uploadName } from '../../infra/dashboard/dashboard-site.ts'
import { checksName } from '../../infra/deployment/deployment-checks.ts'
import { followerName } from '../../lib/contract/background-names.ts'
import { functionName } from '../../lib/contract/route.ts'
import { usualOperationIds, usualRoutes } from '../support/operations.ts'
import { everything, prodSettings } from '../support/prod-settings.ts'
import { rolePermissions } from '../support/role-permissions.ts'
import {
  aliasedFunction,
  type Json,
  type Resource,
  serviceApp,
  serviceTemplate,
  templateOf,
} from '../support/service-template.ts'

const rotating = { playerTokenKeys: ['2', '1'], userJwtKeys: ['1', '2'] }
const template = serviceTemplate({
  ...{ ...prodSettings, ...rotating },
  ...{ edge: {}, dashboard: true, followedChains: ['POLYGON'] },
})
const { all, resources, propertiesOf } = template

const allowedTo = (functionName: string) => rolePermissions(template, functionName)

/** The permissions of the functions that only the deployment runs, beside their logs. */
const ofDeployment: Record<string, string[]> = {
  [checksName]: [
    'cloudformation:DescribeStacks on AWS::StackId',
    'kms:GetPublicKey on PlayerTokenKeyKey1',
    'kms:GetPublicKey on PlayerTokenKeyKey2',
    'kms:ListAliases on *',
    'lambda:GetAccountSettings on *',
  ],
  [uploadName]: [
    's3:DeleteObject on files of DashboardSiteBucket',
    's3:ListBucket on DashboardSiteBucket',
    's3:PutObject on files of DashboardSiteBucket',
  ],
}

const allNames = [...functionNames({}), ...Object.keys(ofDeployment)]

const operationNames = usualOperationIds.map(functionName)

/** The log group that a function shares with others. */
function sharedLogs(name: string): string | undefined {
  if (name === followerName) return 'FollowerLogs'
  if (name in ofDeployment) return 'DeploymentLogs'
  return operationNames.includes(name) ? 'OperationLogs' : undefined
}

const isInvocationRole = (id: string) => id.startsWith('HttpApiInvocationRole')

const isOfLogs = (permission: string) => permission.startsWith('logs:')

describe('least privilege', () => {
  // test/service/permissions.test.ts compares the other permissions of the operations, the worker and the follower with
  // what their code does.
  test.each(allNames)('%s can do nothing with logs but write into its log group', (name) => {
    const own = sharedLogs(name) ?? `${name.replaceAll('-', '')}Logs`
    expect(allowedTo(name).filter(isOfLogs)).toEqual([
      expect.stringMatching(new RegExp(`^logs:CreateLogStream on \\w*${own}$`)),
      expect.stringMatching(new RegExp(`^logs:PutLogEvents on \\w*${own}$`)),
    ])
  })

  test.each(Object.entries(ofDeployment))('%s has exactly its permissions', (name, expected) => {
    expect(allowedTo(name).filter((permission) => !isOfLogs(permission))).toEqual(expected)
  })

  test('only functions have roles and policies, and API Gateway for its invocations', () => {
    expect(all('AWS::IAM::Role')).toHaveLength(allNames.length + 1)
    expect([...all('AWS::IAM::Policy'), ...all('AWS::IAM::ManagedPolicy')]).toEqual([])
  })

  test('only Lambda can assume the roles, and API Gateway that of its invocations', () => {
    for (const [id, { Properties }] of all('AWS::IAM::Role')) {
      const service = isInvocationRole(id) ? 'apigateway' : 'lambda'
      expect(Properties.AssumeRolePolicyDocument.Statement).toEqual([
        {
          Action: 'sts:AssumeRole',
          Effect: 'Allow',
          Principal: { Service: `${service}.amazonaws.com` },
        },
      ])
    }
  })

  test('D83: API Gateway invokes the alias of each operation with one role, and nothing else', () => {
    const [[roleId, role], ...more] = all('AWS::IAM::Role').filter(([id]) =>
      isInvocationRole(id),
    ) as [[string, Resource]]
    const { ManagedPolicyArns, Policies } = role.Properties
    const [{ Action, Resource: invoked, ...rest }, ...others] = Policies[0].PolicyDocument.Statement
    expect([more, ManagedPolicyArns, Policies.length, others]).toEqual([[], undefined, 1, []])
    expect([Action, rest]).toEqual(['lambda:InvokeFunction', { Effect: 'Allow' }])
    const names: string[] = invoked.map((alias: Json) => aliasedFunction(template, alias))
    const expected = operationNames.map((name) => `PlayerNfts-prod-${name}`)
    expect(names.toSorted()).toEqual(expected.toSorted())
    const integrations = all('AWS::ApiGatewayV2::Integration')
    expect(integrations).toHaveLength(operationNames.length)
    for (const [, { Properties }] of integrations) {
      expect(Properties.CredentialsArn).toEqual({ 'Fn::GetAtt': [roleId, 'Arn'] })
    }
    const permitted = propertiesOf('AWS::Lambda::Permission').map(({ Principal }) => Principal)
    expect(new Set(permitted)).toEqual(new Set(['events.amazonaws.com']))
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
  }

  test('have a reason each', () => {
    const found = Object.values(resources).flatMap(({ Type, Properties }) =>
      statementsOf(Properties).flatMap((statement) =>
        ['Action', 'Resource', 'Principal']
          .flatMap((part) => texts(statement[part]).map((text) => `${Type} ${part} ${text}`))
          .filter((line) => line.includes('*')),
      ),
    )
    expect(new Set(found)).toEqual(new Set(Object.keys(explained)))
    const sources = propertiesOf('AWS::Lambda::Permission').map(({ SourceArn }) => SourceArn)
    expect(texts(sources).filter((text) => text.includes('*'))).toEqual([])
  })

  const statementsOf = ({ Policies = [], KeyPolicy, PolicyDocument }: Json): Json[] =>
    [...Policies.map((policy: Json) => policy.PolicyDocument), KeyPolicy, PolicyDocument].flatMap(
      (document) => document?.Statement ?? [],
    )

  const texts = (value: Json): string[] =>
    typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(texts)
})

const prod = serviceApp(prodSettings)
Validations.of(prod.app).addPlugins(
  new AwsSolutionsChecks(prod.app, { writeSuppressionsToCloudFormation: true }),
)
const { resources: acknowledged } = templateOf(prod)

describe('the AwsSolutions rules of cdk-nag', () => {
  const violationsIn = ({ app, stack }: ReturnType<typeof serviceApp>) =>
    new AwsSolutionsChecks(app).validateScope(stack).violations

  test('have no finding in prod', () => {
    expect(violationsIn(prod)).toEqual([])
  })

  test('have no finding with a distribution without a domain and a web ACL', () => {
    expect(violationsIn(serviceApp({ ...prodSettings, edge: {} }))).toEqual([])
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
    const suppressed = Object.values(acknowledged as Json).flatMap(({ Type, Metadata }: Json) =>
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
