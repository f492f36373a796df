import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { prodSettings } from '../support/prod-settings.ts'
import { serviceTemplate } from '../support/service-template.ts'
import { onWindows } from '../support/vitest/windows.ts'

const account = 'eu-central-1:123456789012'

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
}

/** The commands that the page has for what remains, with this text as the answer of the AWS CLI. */
async function printed(answer: string): Promise<string[]> {
  const page = await readFile('docs/changes.md', 'utf8')
  const [, command = ''] = /```text\n(aws resourcegroupstaggingapi [\s\S]*?)```/.exec(page) ?? []
  const folder = await mkdtemp(join(tmpdir(), 'player-nfts-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'answer'), answer)
  await writeFile(join(folder, 'aws'), `#!/bin/sh\ncat '${folder}/answer'\n`, { mode: 0o755 })
  const env = { PATH: `${folder}:${process.env['PATH']}` }
  const { stdout } = await promisify(execFile)('bash', ['-c', command], { env })
  return stdout.trimEnd().split('\n')
}

test('every type that a production stack keeps is one of these', () => {
  const { resources } = serviceTemplate({ ...prodSettings, edge: {}, dashboard: true })
  const types = Object.values(resources)
    .filter(({ DeletionPolicy }) => DeletionPolicy?.startsWith('Retain'))
    .map(({ Type }) => Type)
    // Versions end with their function.
    .filter((type) => type !== 'AWS::Lambda::Version')
  expect([...new Set(types)].toSorted()).toEqual(Object.keys(left).toSorted())
})

test.skipIf(onWindows)('the page prints the commands that delete what a stack keeps', async () => {
  const resources = Object.values(left)
  const answer = `${resources.map(({ arn }) => arn).join('\t')}\n`
  expect(await printed(answer)).toEqual(resources.map(({ commands }) => commands))
})
