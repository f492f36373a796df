import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { afterAll, expect, test } from 'vitest'
import { clientOptions } from '../../../lib/adapters/aws-client.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import { startWire } from './wire.ts'

const wire = await startWire()
const dynamodb = new DynamoDBClient(clientOptions())
const published = DynamoDBDocumentClient.from(dynamodb)
const ours = openTable().client
afterAll(() => dynamodb.destroy())

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
async function exchange(client: DynamoDBDocumentClient, command: object, response: unknown) {
  wire.react({
    status: 200,
    headers: { 'x-amzn-requestid': 'request' },
    body: response === '' ? '' : JSON.stringify(response),
  })
  const output = await client.send(command as GetCommand)
  return { request: JSON.parse(wire.arrived[0]?.body ?? ''), output }
}

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
] as const)(
  'the document client sends and reads the same with either protocol: %s',
  async (_, command, response) => {
    expect(await exchange(ours, command, response)).toEqual(
      await exchange(published, command, response),
    )
  },
)
