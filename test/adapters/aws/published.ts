import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms'
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { atFileEnd } from '../../support/vitest/at-file-end.ts'
import { newCommands } from './clients.ts'

/** The options with which the SDK behaves as the clients of the functions should. */
const options = () => ({
  maxAttempts: 3,
  requestHandler: {
    connectionTimeout: 3_000,
    requestTimeout: 3_000,
    throwOnRequestTimeout: true,
    socketTimeout: 3_000,
  },
})

/** New clients of the SDK, with the settings that are in the environment variables. */
export function publishedClients() {
  const clients = {
    dynamodb: new DynamoDBClient(options()),
    kms: new KMSClient(options()),
    // Without an endpoint it takes that of the queue's URL.
    sqs: new SQSClient({ ...options(), endpoint: process.env['AWS_ENDPOINT_URL'] ?? '' }),
    secretsManager: new SecretsManagerClient(options()),
  }
  for (const client of Object.values(clients)) atFileEnd(() => client.destroy())
  return clients
}

const commands = {
  GetItem: GetItemCommand,
  PutItem: PutItemCommand,
  UpdateItem: UpdateItemCommand,
  DeleteItem: DeleteItemCommand,
  Query: QueryCommand,
  BatchGetItem: BatchGetItemCommand,
  BatchWriteItem: BatchWriteItemCommand,
  Sign: SignCommand,
  GetPublicKey: GetPublicKeyCommand,
  SendMessage: SendMessageCommand,
  ChangeMessageVisibility: ChangeMessageVisibilityCommand,
  GetSecretValue: GetSecretValueCommand,
}

/** The operation of a command of the SDK in its model. */
export type Operation = readonly [9, string, name: string, unknown, input: unknown, output: unknown]

/** A command of the SDK for the operation and with the input of one of ours. */
export function publishedCommand({ operation, input }: { operation: string; input: object }) {
  // The inputs of ours have the types of the SDK's.
  const Command = commands[operation as keyof typeof commands] as unknown as new (
    input: object,
  ) => { schema: Operation }
  return new Command(input)
}

/** The operations of the functions in the model of the SDK. */
export const operations: Operation[] = Object.values(newCommands())
  .flat()
  .map((command) => publishedCommand(command).schema)
