import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms'
import {
  BatchGetCommand,
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { clientOptions } from '../../lib/adapters/aws-client.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { kmsClient } from '../../lib/adapters/kms/kms-keys.ts'
import { startTestAws } from '../support/aws/test-aws.ts'

const aws = await startTestAws()
const dynamodb = new DynamoDBClient(clientOptions())
/** The SDK's clients with the SDK's own protocol. */
const published = {
  table: DynamoDBDocumentClient.from(dynamodb),
  kms: new KMSClient(clientOptions()),
}
const ours = { table: openTable().client, kms: kmsClient() }
afterAll(() => {
  dynamodb.destroy()
  published.kms.destroy()
})
afterEach(() => aws.interfere({}))

const TableName = 'table'
const Key = { pk: 'PRODUCT#1', sk: 'PROFILE' }
const bytes = Uint8Array.from([0, 1, 127, 128, 255])
const item = {
  ...Key,
  text: 'Gull Harbour "\\" 灯 \u2028 💥 \u0000',
  count: 12345678901,
  ranges: bytes,
  buffer: Buffer.from('bytes'),
  parts: new Set([bytes, Uint8Array.from([7])]),
  names: new Set(['B', 'BS']),
  map: { B: 'text', BS: ['text', bytes], nothing: null, isOpen: true, B2: { B: bytes } },
  empty: '',
}
const stored = {
  pk: { S: 'PRODUCT#1' },
  text: { S: 'the text "B": "AAE="' },
  ranges: { B: 'AAF/gP8=' },
  parts: { BS: ['AAF/gP8=', 'Bw=='] },
  map: { M: { B: { S: 'text' }, BS: { L: [{ B: 'Bw==' }] }, count: { N: '1.50' } } },
}

/** The request that a call makes, and its result for this response. */
async function exchange(call: Promise<unknown>): Promise<unknown> {
  const output = await call
  const { service, action, path, body } = aws.proxy.requests.at(-1) ?? {}
  return { request: { service, action, path, body }, output }
}

describe('the JSON protocol sends and reads the same as the protocol of the SDK', () => {
  const answerWith = (body: unknown) =>
    aws.interfere({
      onRequest: () => ({
        status: 200,
        headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': 'request' },
        body,
      }),
    })

  test.each([
    ['GetItem', new GetCommand({ TableName, Key, ConsistentRead: true }), { Item: stored }],
    ['GetItem without an item', new GetCommand({ TableName, Key }), {}],
    ['PutItem', new PutCommand({ TableName, Item: item }), ''],
    [
      'UpdateItem',
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: 'SET #ranges = :ranges',
        ExpressionAttributeNames: { '#ranges': 'ranges' },
        ExpressionAttributeValues: { ':ranges': bytes },
      }),
      { Attributes: stored },
    ],
    [
      'Query',
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': Key.pk },
        ExclusiveStartKey: Key,
      }),
      {
        Items: [stored, stored],
        Count: 2,
        LastEvaluatedKey: { pk: { S: 'B' }, sk: { B: 'Bw==' } },
      },
    ],
    [
      'BatchGetItem',
      new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [Key] } } }),
      { Responses: { [TableName]: [stored] }, UnprocessedKeys: {} },
    ],
    [
      'BatchWriteItem',
      new BatchWriteCommand({
        RequestItems: { [TableName]: [{ PutRequest: { Item: item } }, { DeleteRequest: { Key } }] },
      }),
      { UnprocessedItems: { [TableName]: [{ PutRequest: { Item: stored } }] } },
    ],
  ] as const)('DynamoDB %s', async (_, command, output) => {
    answerWith(output)
    const send = (client: DynamoDBDocumentClient) => exchange(client.send(command as GetCommand))
    expect(await send(ours.table)).toEqual(await send(published.table))
  })

  test.each([
    [
      'Sign',
      new SignCommand({
        KeyId: 'key',
        Message: Buffer.from('{"alg":"ES256"}'),
        MessageType: 'RAW',
        SigningAlgorithm: 'ECDSA_SHA_256',
      }),
      { KeyId: 'key', Signature: 'MEUCIQ==', SigningAlgorithm: 'ECDSA_SHA_256' },
    ],
    [
      'GetPublicKey',
      new GetPublicKeyCommand({ KeyId: 'key' }),
      { KeyId: 'key', PublicKey: 'MFkw/+8=', KeySpec: 'ECC_NIST_P256' },
    ],
  ] as const)('KMS %s', async (_, command, output) => {
    answerWith(output)
    const send = (client: KMSClient) => exchange(client.send(command as SignCommand))
    expect(await send(ours.kms)).toEqual(await send(published.kms))
  })
})

describe('the JSON protocol reports errors as the protocol of the SDK does', () => {
  const failureOf = (client: DynamoDBDocumentClient) =>
    client.send(new GetCommand({ TableName, Key })).then(
      () => undefined,
      ({ name, message, $fault, $metadata }) => ({ name, message, $fault, $metadata }),
    )

  test.each([
    [400, { __type: 'com.amazon.coral.validate#ValidationException', message: 'The key is empty' }],
    [
      400,
      {
        __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
        message: 'The conditional request failed',
      },
    ],
    [400, { __type: 'ConditionalCheckFailedException:http://internal/', Message: 'Failed' }],
  ])('status %i: %j', async (status, body) => {
    aws.interfere({ onRequest: () => ({ status, headers: { 'x-amzn-requestid': 'r' }, body }) })
    const failure = await failureOf(ours.table)
    expect(failure).toEqual(await failureOf(published.table))
    expect(failure?.name).toMatch(/^(Validation|ConditionalCheckFailed)Exception$/)
  })

  test('an error that only a header names', async () => {
    const headers = { 'x-amzn-errortype': 'ValidationException:http://internal/' }
    aws.interfere({ onRequest: () => ({ status: 400, headers, body: {} }) })
    const failure = await failureOf(ours.table)
    expect(failure).toEqual(await failureOf(published.table))
    expect(failure?.name).toBe('ValidationException')
  })

  test.each([
    [
      'throttling',
      { status: 400, body: { __type: 'x#ThrottlingException', message: 'Slow down' } },
    ],
    ['an internal error', { status: 500, body: { __type: 'x#InternalServerError' } }],
    ['a page of a proxy', { status: 503, body: '<html>Service Unavailable</html>' }],
    ['a response that is cut off', { status: 200, body: '{"Item":{' }],
    ['a lost connection', 'drop'],
  ] as const)('as often as the SDK, a request is tried again after %s', async (_, fault) => {
    const attemptsOf = async (client: DynamoDBDocumentClient) => {
      const before = aws.proxy.requests.length
      await failureOf(client)
      return aws.proxy.requests.length - before
    }
    aws.interfere({ onRequest: () => fault })
    expect(await attemptsOf(ours.table)).toBe(await attemptsOf(published.table))
  })
})
