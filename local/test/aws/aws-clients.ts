import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { onTestFinished } from 'vitest'
import { newFolder } from '../../../test/support/command-fixture.ts'
import { startAwsEndpoint } from '../../aws/aws-endpoint.ts'

/** The SDK clients of the four services. Each makes only one attempt. */
export interface Clients {
  dynamodb: DynamoDBClient
  kms: KMSClient
  sqs: SQSClient
  secretsManager: SecretsManagerClient
}

/** Returns the configuration for an endpoint that does not check signatures. */
export const access = (endpoint: string, region = 'us-east-1') => ({
  endpoint,
  region,
  credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
})

/** Creates clients of an endpoint, and destroys them after the test. */
export function clientsOf(endpoint: string, region?: string): Clients {
  const config = { ...access(endpoint, region), maxAttempts: 1 }
  const clients = {
    dynamodb: new DynamoDBClient(config),
    kms: new KMSClient(config),
    sqs: new SQSClient(config),
    secretsManager: new SecretsManagerClient(config),
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

/** Creates a key. */
export async function createP256Key(kms: KMSClient): Promise<{ KeyId: string; Arn: string }> {
  const command = new CreateKeyCommand({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' })
  const { KeyId = '', Arn = '' } = (await kms.send(command)).KeyMetadata ?? {}
  return { KeyId, Arn }
}

/** Returns a command that creates a table with the key `pk`, a string. */
export const createTable = (TableName: string) =>
  new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
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
      const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName, Attributes }))
      return { QueueName, QueueUrl }
    },
    send: (QueueUrl: string, MessageBody: string, DelaySeconds?: number) =>
      sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, DelaySeconds })),
    /** Receives up to 10 messages; `wait` and `visibility` in seconds. */
    async receive(
      QueueUrl: string,
      { wait = 0, visibility }: { wait?: number; visibility?: number } = {},
    ) {
      const command = new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: wait,
        VisibilityTimeout: visibility,
        MessageSystemAttributeNames: ['All'],
      })
      return (await sqs.send(command)).Messages ?? []
    },
    async attributesOf(QueueUrl: string) {
      const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] })
      return (await sqs.send(command)).Attributes ?? {}
    },
  }
}
