import { join } from 'node:path'
import { openEntries } from '@player-nfts/local/aws/entries'
import { openKms } from '@player-nfts/local/aws/kms'
import { dispatch } from '@player-nfts/local/aws/protocol'
import { openSecretsManager } from '@player-nfts/local/aws/secrets-manager'
import { openSqs } from '@player-nfts/local/aws/sqs'
import type { CallCounter, ServiceName } from './call-counter.ts'
import { dynamodbStub } from './dynamodb-stub.ts'
import { startHttpStub } from './http-stub.ts'
import type { MemoryTable } from './memory-table.ts'

/** The response time of each service, in milliseconds. */
export type Delays = Record<ServiceName, number>

const serviceNames: Readonly<Record<string, ServiceName>> = {
  DynamoDB_20120810: 'DynamoDB',
  TrentService: 'KMS',
  AmazonSQS: 'SQS',
  secretsmanager: 'Secrets Manager',
}

/** DynamoDB on a table in memory, and the other services as in the local stack. Every response has a fixed delay. */
export async function startAwsStub(options: {
  table: MemoryTable
  dataDir: string
  counter: CallCounter
  delays: Delays
}) {
  const { table, dataDir, counter, delays } = options
  const entries = await openEntries(join(dataDir, 'entries'), join(dataDir, 'writes'))
  const services = [
    dynamodbStub(table),
    await openKms(entries),
    await openSqs(entries),
    await openSecretsManager(entries),
  ]
  return await startHttpStub(async ({ headers }, body) => {
    const target = String(headers['x-amz-target'] ?? '')
    const [prefix = ''] = target.split('.')
    const name = serviceNames[prefix] ?? 'DynamoDB'
    const answered = counter.begin(name)
    const call = {
      region: 'us-east-1',
      origin: `http://${headers.host}`,
      signal: new AbortController().signal,
    }
    const answer = await dispatch(services, target, body, call)
    return {
      ...answer,
      body: Buffer.from(JSON.stringify(answer.body)),
      delayMilliseconds: delays[name],
      sent: answered,
    }
  })
}
