import assert from 'node:assert/strict'
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DescribeKeyCommand, KMSClient, paginateListKeys } from '@aws-sdk/client-kms'
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { Deployment } from './deployment.ts'
import type { Place } from './place.ts'

/** No message is in the dead-letter queue. */
export async function expectNoDeadLetters({ aws }: Place, { outputs }: Deployment): Promise<void> {
  const { Attributes } = await new SQSClient(aws).send(
    new GetQueueAttributesCommand({
      QueueUrl: outputs.DeadLetterQueueUrl,
      AttributeNames: ['ApproximateNumberOfMessages'],
    }),
  )
  assert.deepEqual(Attributes, { ApproximateNumberOfMessages: '0' })
}

/** Of the stack, only keys remain, which are pending deletion in KMS. */
export async function expectRemoved({ aws }: Place, deployment: Deployment): Promise<void> {
  const { ApiUrl, IndexerSecretArn, QueueUrl, TableName } = deployment.outputs
  const dynamodb = new DynamoDBClient(aws)
  const secretsManager = new SecretsManagerClient(aws)
  await assert.rejects(dynamodb.send(new DescribeTableCommand({ TableName })), {
    name: 'ResourceNotFoundException',
  })
  await assert.rejects(new SQSClient(aws).send(new GetQueueAttributesCommand({ QueueUrl })), {
    name: 'QueueDoesNotExist',
  })
  await assert.rejects(
    secretsManager.send(new GetSecretValueCommand({ SecretId: IndexerSecretArn })),
    { name: 'ResourceNotFoundException' },
  )
  assert.equal((await fetch(`${ApiUrl}/api/public/v1/public-key`)).status, 404)
  assert.deepEqual(await keyStates(aws), ['PendingDeletion'])
}

/** The states of the account's keys, without duplicates. */
async function keyStates(aws: Place['aws']): Promise<(string | undefined)[]> {
  const client = new KMSClient(aws)
  const states = new Set<string | undefined>()
  for await (const { Keys = [] } of paginateListKeys({ client }, {})) {
    for (const { KeyId } of Keys) {
      const { KeyMetadata } = await client.send(new DescribeKeyCommand({ KeyId }))
      states.add(KeyMetadata?.KeyState)
    }
  }
  return [...states]
}
