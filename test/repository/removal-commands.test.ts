import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { prodSettings } from '../support/prod-settings.ts'
import { type Json, serviceTemplate } from '../support/service-template.ts'
import { onWindows } from '../support/vitest/windows.ts'
import { runCommands } from './workflow-steps.ts'

const account = 'eu-central-1:123456789012'

const roleName = 'PlayerNfts-prod-HttpApiInvocationRole1A2B3C4D-5E6F'

/** A resource of each type that a removed stack with `keepData` leaves, and the commands that delete it. */
const left: Readonly<Record<string, { arn: string; commands: string }>> = {
  'AWS::DynamoDB::Table': {
    arn: `arn:aws:dynamodb:${account}:table/PlayerNfts-prod-Table710B521B-1A2B`,
    commands:
      'aws dynamodb update-table --table-name PlayerNfts-prod-Table710B521B-1A2B --no-deletion-protection-enabled; aws dynamodb delete-table --table-name PlayerNfts-prod-Table710B521B-1A2B',
  },
  'AWS::KMS::Key': {
    arn: `arn:aws:kms:${account}:key/5626e3bc-bbe2-41f3-82f4-76e1b790b102`,
    commands: `aws kms schedule-key-deletion --key-id arn:aws:kms:${account}:key/5626e3bc-bbe2-41f3-82f4-76e1b790b102`,
  },
  'AWS::SecretsManager::Secret': {
    arn: `arn:aws:secretsmanager:${account}:secret:IndexerKey34569D60-1A2B-d9feab`,
    commands: `aws secretsmanager delete-secret --secret-id arn:aws:secretsmanager:${account}:secret:IndexerKey34569D60-1A2B-d9feab`,
  },
  'AWS::Logs::LogGroup': {
    arn: `arn:aws:logs:${account}:log-group:/aws/vendedlogs/PlayerNfts-prod-1a2b3c4d/http-api:*`,
    commands:
      'aws logs delete-log-group --log-group-name /aws/vendedlogs/PlayerNfts-prod-1a2b3c4d/http-api',
  },
  'AWS::S3::Bucket': {
    arn: 'arn:aws:s3:::playernfts-prod-dashboardsitebucket1a2b',
    commands: 'aws s3 rb --force s3://playernfts-prod-dashboardsitebucket1a2b',
  },
  // The last, because the page finds it with another command.
  'AWS::IAM::Role': {
    arn: `arn:aws:iam::123456789012:role/${roleName}`,
    commands: `aws iam delete-role-policy --role-name ${roleName} --policy-name permissions; aws iam delete-role --role-name ${roleName}`,
  },
}

const { resources } = serviceTemplate({ ...prodSettings, edge: {}, dashboard: true })
const kept = Object.values(resources).filter(({ DeletionPolicy }) =>
  DeletionPolicy?.startsWith('Retain'),
)

const isRole = (arn: string): boolean => arn.startsWith('arn:aws:iam:')

/** What lists the resources that remain, and prints the commands that delete them. */
async function listing(): Promise<string> {
  const page = await readFile('docs/changes.md', 'utf8')
  return /```text\n(\{ aws resourcegroupstaggingapi [\s\S]*?)```/.exec(page)?.[1] ?? ''
}

/** The commands that the page prints for resources with these ARNs. */
async function printed(arns: readonly string[]): Promise<string[]> {
  const { stdout } = await runCommands(['bash', '-c', await listing()], {
    commands: { aws: 'cat "$1"' },
    files: {
      iam: `${arns.filter(isRole).join('\t')}\n`,
      resourcegroupstaggingapi: `${arns.filter((each) => !isRole(each)).join('\t')}\n`,
    },
  })
  return stdout.trimEnd().split('\n')
}

test('every type that a production stack keeps is one of these', () => {
  // Versions end with their function.
  const types = kept.map(({ Type }) => Type).filter((type) => type !== 'AWS::Lambda::Version')
  expect([...new Set(types)].toSorted()).toEqual(Object.keys(left).toSorted())
})

test('the page finds the roles that a production stack keeps by their descriptions', async () => {
  const command = await listing()
  const roles = kept.filter(({ Type }) => Type === 'AWS::IAM::Role')
  expect(roles).toHaveLength(1)
  for (const { Properties } of roles) {
    expect(command.replace('$STACK', 'PlayerNfts-prod')).toContain(
      `Description=='${Properties.Description}'`,
    )
    // A role can be deleted without its inline policies only.
    const names = Properties.Policies.map(({ PolicyName }: Json) => PolicyName)
    expect(names).toEqual(['permissions'])
  }
})

test.skipIf(onWindows)('the page prints the commands that delete what a stack keeps', async () => {
  const resources = Object.values(left)
  expect(await printed(resources.map(({ arn }) => arn))).toEqual(
    resources.map(({ commands }) => commands),
  )
})
