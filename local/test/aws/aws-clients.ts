import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { KMS } from '@aws-sdk/client-kms'
import { SecretsManager } from '@aws-sdk/client-secrets-manager'
import { SQS } from '@aws-sdk/client-sqs'
import { expect, onTestFinished } from 'vitest'
import { newFolder } from '../../../test/support/command-fixture.ts'
import { localAccess } from '../../aws/aws-access.ts'
import { startAwsEndpoint } from '../../aws/aws-endpoint.ts'

/** The SDK clients of the four services. Each makes only one attempt. */
export type Clients = ReturnType<typeof clientsOf>

/** Creates clients of an endpoint, and destroys them after the test. */
export function clientsOf(endpoint: string, region = 'us-east-1') {
  const config = { ...localAccess(endpoint, region), maxAttempts: 1 }
  const clients = {
    dynamodb: new DynamoDB(config),
    kms: new KMS(config),
    sqs: new SQS(config),
    secretsManager: new SecretsManager(config),
  }
  onTestFinished(() => {
    for (const client of Object.values(clients)) client.destroy()
  })
  return clients
}

/** Starts an endpoint with clients, and closes them after the test. */
export async function startAws(dataDir = newFolder()) {
  const { url, close } = await startAwsEndpoint({ dataDir })
  onTestFinished(close)
  return { url, dataDir, close, ...clientsOf(url) }
}

export async function createP256Key(kms: KMS): Promise<{ KeyId: string; Arn: string }> {
  const specification = { KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' } as const
  const { KeyId = '', Arn = '' } = (await kms.createKey(specification)).KeyMetadata ?? {}
  return { KeyId, Arn }
}

/** Expects that a call is refused with the error of this name. */
export const expectError = (call: Promise<unknown>, name: string) =>
  expect(call).rejects.toMatchObject({ name, $metadata: { httpStatusCode: 400 } })

/** Creates a table with keys that are strings: a partition key, and perhaps a sort key. */
export const createTable = (dynamodb: DynamoDB, TableName: string, keys = ['pk']) =>
  dynamodb.createTable({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: keys.map((AttributeName, index) => ({
      AttributeName,
      KeyType: index === 0 ? 'HASH' : 'RANGE',
    })),
  })

/** Starts an endpoint, and returns the calls of SQS that most tests make. */
export async function startSqs() {
  const { sqs, url } = await startAws()
  let queues = 0
  return {
    sqs,
    url,
    async createQueue(Attributes: Record<string, string> = {}) {
      const QueueName = `queue-${queues++}`
      const { QueueUrl = '' } = await sqs.createQueue({ QueueName, Attributes })
      return { QueueName, QueueUrl }
    },
    send: (QueueUrl: string, MessageBody: string, DelaySeconds?: number) =>
      sqs.sendMessage({ QueueUrl, MessageBody, DelaySeconds }),
    /** Receives up to 10 messages; `wait` and `visibility` in seconds. */
    async receive(
      QueueUrl: string,
      { wait = 0, visibility }: { wait?: number; visibility?: number } = {},
    ) {
      const { Messages = [] } = await sqs.receiveMessage({
        QueueUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: wait,
        VisibilityTimeout: visibility,
        MessageSystemAttributeNames: ['All'],
      })
      return Messages
    },
    async attributesOf(QueueUrl: string) {
      const all = { QueueUrl, AttributeNames: ['All' as const] }
      return (await sqs.getQueueAttributes(all)).Attributes ?? {}
    },
  }
}
