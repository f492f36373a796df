import * as sdk from '@aws-sdk/lib-dynamodb'
import { expect, test } from 'vitest'
import type { AwsCommand } from '../../../lib/adapters/aws/aws-command.ts'
import * as ours from '../../../lib/adapters/dynamodb/commands.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import { publishedClients } from './published.ts'
import { startWire } from './wire.ts'

const wire = await startWire()
const published = sdk.DynamoDBDocumentClient.from(publishedClients().dynamodb, {
  marshallOptions: { removeUndefinedValues: true },
})
const { client } = openTable()

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
async function exchange(send: () => Promise<object>, response: unknown) {
  wire.react({ status: 200, body: response === '' ? '' : JSON.stringify(response) })
  const { $metadata: _, ...output }: { $metadata?: unknown } = await send()
  return { request: JSON.parse(wire.arrived[0]?.body ?? ''), output }
}

type Command = new (input: object) => AwsCommand<object, object>

const commands = { ours: { ...ours }, sdk: { ...sdk } }

test.each([
  ['GetItem', 'GetCommand', { TableName, Key, ConsistentRead: true }, { Item: stored }],
  ['GetItem without an item', 'GetCommand', { TableName, Key }, {}],
  ['PutItem', 'PutCommand', { TableName, Item: item }, ''],
  [
    'UpdateItem',
    'UpdateCommand',
    {
      TableName,
      Key,
      UpdateExpression: 'SET #ranges = :ranges',
      ExpressionAttributeNames: { '#ranges': 'ranges' },
      ExpressionAttributeValues: { ':ranges': bytes },
    },
    { Attributes: stored },
  ],
  [
    'DeleteItem',
    'DeleteCommand',
    { TableName, Key, ReturnValues: 'ALL_OLD' },
    { Attributes: stored },
  ],
  [
    'PutItem with values that are undefined',
    'PutCommand',
    { TableName, Item: { ...Key, nothing: undefined, map: { nothing: undefined } } },
    {},
  ],
  [
    'Query',
    'QueryCommand',
    {
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': Key.pk },
      ExclusiveStartKey: Key,
    },
    {
      Items: [stored, stored],
      Count: 2,
      LastEvaluatedKey: { pk: { S: 'B' }, sk: { B: 'Bw==' } },
    },
  ],
  [
    'BatchGetItem',
    'BatchGetCommand',
    { RequestItems: { [TableName]: { Keys: [Key] } } },
    { Responses: { [TableName]: [stored] }, UnprocessedKeys: {} },
  ],
  [
    'BatchWriteItem',
    'BatchWriteCommand',
    {
      RequestItems: { [TableName]: [{ PutRequest: { Item: item } }, { DeleteRequest: { Key } }] },
    },
    { UnprocessedItems: { [TableName]: [{ PutRequest: { Item: stored } }] } },
  ],
] as const)(
  'sends and reads the same as the document client: %s',
  async (_, name, input, response) => {
    const Ours = commands.ours[name] as Command
    const Theirs = commands.sdk[name] as new (input: never) => object
    const command = new Ours(input)
    const theirs = new Theirs(input as never)
    expect(await exchange(() => client.send(command), response)).toEqual(
      await exchange(() => published.send(theirs as sdk.GetCommand), response),
    )
  },
)
