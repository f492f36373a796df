import assert from 'node:assert/strict'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { KMS, paginateListKeys } from '@aws-sdk/client-kms'
import { SecretsManager } from '@aws-sdk/client-secrets-manager'
import { SQS } from '@aws-sdk/client-sqs'
import type { Place } from '../../scripts/deploy-local/place.ts'
import { listed } from './aws-lists.ts'
import type { Deployment } from './deployment.ts'

/** No message is in the dead-letter queue. */
export async function expectNoDeadLetters({ aws }: Place, { outputs }: Deployment): Promise<void> {
  const { Attributes } = await new SQS(aws).getQueueAttributes({
    QueueUrl: outputs.DeadLetterQueueUrl,
    AttributeNames: ['ApproximateNumberOfMessages'],
  })
  assert.deepEqual(Attributes, { ApproximateNumberOfMessages: '0' })
}

/** Of the stack, only keys remain, which are pending deletion in KMS. */
export async function expectRemoved({ aws }: Place, deployment: Deployment): Promise<void> {
  const { ApiUrl, IndexerSecretArn, QueueUrl, TableName } = deployment.outputs
  const dynamodb = new DynamoDB(aws)
  const secretsManager = new SecretsManager(aws)
  await assert.rejects(dynamodb.describeTable({ TableName }), {
    name: 'ResourceNotFoundException',
  })
  await assert.rejects(new SQS(aws).getQueueAttributes({ QueueUrl }), {
    name: 'QueueDoesNotExist',
  })
  await assert.rejects(secretsManager.getSecretValue({ SecretId: IndexerSecretArn }), {
    name: 'ResourceNotFoundException',
  })
  assert.equal((await fetch(`${ApiUrl}/api/public/v1/public-key`)).status, 404)
  assert.deepEqual(await keyStates(aws), ['PendingDeletion'])
}

/** The states of the account's keys, without duplicates. */
async function keyStates(aws: Place['aws']): Promise<(string | undefined)[]> {
  const client = new KMS(aws)
  const keys = await listed(paginateListKeys({ client }, {}), ({ Keys }) => Keys)
  const described = await Promise.all(keys.map(({ KeyId }) => client.describeKey({ KeyId })))
  return [...new Set(described.map(({ KeyMetadata }) => KeyMetadata?.KeyState))]
}
