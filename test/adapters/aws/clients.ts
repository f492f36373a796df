import { type AwsService, attemptsAt } from '../../../lib/adapters/aws/aws-attempts.ts'
import { awsClient } from '../../../lib/adapters/aws/aws-client.ts'
import { type AwsCommand, commandOf } from '../../../lib/adapters/aws/aws-command.ts'
import { type FailedAttempt, retryInfoOf } from '../../../lib/adapters/aws/aws-retries.ts'
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  itemCommand,
} from '../../../lib/adapters/dynamodb/commands.ts'
import { dynamodb } from '../../../lib/adapters/dynamodb/table.ts'
import { SignCommand } from '../../../lib/adapters/kms/jwt-signer.ts'
import { GetPublicKeyCommand, kms } from '../../../lib/adapters/kms/kms-keys.ts'
import { GetSecretValueCommand, secretsManager } from '../../../lib/adapters/secrets/indexer-key.ts'
import { ChangeMessageVisibilityCommand } from '../../../lib/adapters/sqs/webhook-queue.ts'
import { SendMessageCommand, sqs } from '../../../lib/adapters/sqs/work-queue.ts'

// What the functions have of AWS.

export const services = { dynamodb, kms, sqs, secretsManager }

export const newClient = () => awsClient(dynamodb)

const key = { pk: { S: 'PRODUCT#1' }, sk: { S: 'PROFILE' } }
const inTable = { TableName: 'table' }

/** An operation of DynamoDB with attribute values. Some operations the adapters send with JavaScript values only. */
const ofItems = (operation: string, input: object) => new (itemCommand(operation))(input)

/** The commands of the functions by their services, with any input. */
export const newCommands = () => ({
  dynamodb: [
    ofItems('GetItem', { ...inTable, Key: key }),
    ofItems('PutItem', { ...inTable, Item: key }),
    ofItems('UpdateItem', { ...inTable, Key: key }),
    ofItems('DeleteItem', { ...inTable, Key: key }),
    ofItems('Query', inTable),
    new BatchGetItemCommand({ RequestItems: { table: { Keys: [key] } } }),
    new BatchWriteItemCommand({ RequestItems: { table: [{ DeleteRequest: { Key: key } }] } }),
  ],
  kms: [
    new SignCommand({
      KeyId: 'key',
      Message: Buffer.from('text'),
      SigningAlgorithm: 'ECDSA_SHA_256',
    }),
    new GetPublicKeyCommand({ KeyId: 'key' }),
  ],
  sqs: [
    new SendMessageCommand({ QueueUrl: 'http://127.0.0.1/work', MessageBody: 'text' }),
    new ChangeMessageVisibilityCommand({
      ...{ QueueUrl: 'http://127.0.0.1/work', ReceiptHandle: 'handle', VisibilityTimeout: 1 },
    }),
  ],
  secretsManager: [new GetSecretValueCommand({ SecretId: 'secret' })],
})

/** A command for an operation that no service has. */
export const newCommandOf = (operation: string, input: object) => new (commandOf(operation))(input)

export interface Outcome {
  output?: object
  error?: Error & {
    $retryable?: object
    $metadata?: { httpStatusCode?: number; requestId?: unknown }
  }
  /** For which reason the retries would send the request again: `CLIENT_ERROR` for none. */
  errorType?: string
  saysWhen?: boolean
}

export type Attempted<Command> = (command: Command) => Promise<Outcome>

/** A function that sends a command to a service once, and returns what became of it. */
export function attemptedAt(service: AwsService): Attempted<AwsCommand<object, object>> {
  const attempt = attemptsAt(service)
  return async (command) => {
    try {
      return { output: await attempt(command, { callId: 'call', attempt: 1 }) }
    } catch (error) {
      const { errorType, retryAfterHint } = retryInfoOf(error as FailedAttempt)
      return { error: error as Error, errorType, saysWhen: retryAfterHint !== undefined }
    }
  }
}
