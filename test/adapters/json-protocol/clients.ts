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
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { Command } from '@smithy/core/client'
import { getEndpointPlugin } from '@smithy/core/endpoints'
import { clientOptions, withServiceFailures } from '../../../lib/adapters/aws-client.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import { type JsonService, jsonProtocol } from '../../../lib/adapters/json-protocol.ts'
import { kmsClient } from '../../../lib/adapters/kms/kms-keys.ts'
import { secretsManagerClient } from '../../../lib/adapters/secrets/indexer-key.ts'
import { sqsClient } from '../../../lib/adapters/sqs/work-queue.ts'

/** A new client of each service, as the functions have it. This file is also bundled as they are. */
export const newClients = () => ({
  dynamodb: openTable().client,
  kms: kmsClient(),
  sqs: sqsClient(),
  secretsManager: secretsManagerClient(),
})

const key = { pk: { S: 'PRODUCT#1' }, sk: { S: 'PROFILE' } }
const inTable = { TableName: 'table' }

/** The commands of the functions by their services, with any input. */
export const newCommands = () => ({
  dynamodb: [
    new GetItemCommand({ ...inTable, Key: key }),
    new PutItemCommand({ ...inTable, Item: key }),
    new UpdateItemCommand({ ...inTable, Key: key }),
    new DeleteItemCommand({ ...inTable, Key: key }),
    new QueryCommand(inTable),
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
  sqs: [new SendMessageCommand({ QueueUrl: 'http://127.0.0.1/work', MessageBody: 'text' })],
  secretsManager: [new GetSecretValueCommand({ SecretId: 'secret' })],
})

/** A client of a service that does not exist. SQS is a service whose errors had other names before. */
export function newClientOf(service: JsonService) {
  const options = { ...clientOptions(), protocol: jsonProtocol(service) }
  if (service.headers) return withServiceFailures('SQS', new SQSClient(options))
  return service.version === '1.0'
    ? withServiceFailures('DynamoDB', new DynamoDBClient(options))
    : withServiceFailures('KMS', new KMSClient(options))
}

const option = (name: string) => ({ type: 'builtInParams', name }) as const

/** A command for an operation that no service has. */
export function newCommandOf(operation: string, input: object) {
  const AnyCommand = Command.classBuilder()
    .ep({
      Endpoint: option('endpoint'),
      Region: option('region'),
      UseDualStack: option('useDualstackEndpoint'),
      UseFIPS: option('useFipsEndpoint'),
    })
    .m((AnyClass, _, config) => [
      getEndpointPlugin(config, AnyClass.getEndpointParameterInstructions()),
    ])
    .s('Service', operation)
    .n('Client', `${operation}Command`)
    .sc([9, 'smithy.test', operation, 0, 'unit', 'unit'])
    .build()
  return new AnyCommand(input)
}
