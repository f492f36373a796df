import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb'

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}))
const TableName = process.env['TABLE_NAME']

export type Item = Record<string, unknown> & { pk: string; sk: string }

export async function get(pk: string, sk: string): Promise<Item | undefined> {
  const { Item } = await client.send(new GetCommand({ TableName, Key: { pk, sk } }))
  return Item as Item | undefined
}

export async function put(item: Item): Promise<void> {
  await client.send(new PutCommand({ TableName, Item: item }))
}

/** All items of a partition with this prefix of the sort key. */
export async function list(pk: string, prefix: string): Promise<Item[]> {
  const items: Item[] = []
  let ExclusiveStartKey: Record<string, unknown> | undefined
  do {
    const page = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
        ExclusiveStartKey,
      }),
    )
    items.push(...((page.Items ?? []) as Item[]))
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey)
  return items
}

type Write = { PutRequest: { Item: Item } } | { DeleteRequest: { Key: { pk: string; sk: string } } }

/** Writes in batches of 25, one after the other. */
export async function writeAll(writes: Write[]): Promise<void> {
  for (let start = 0; start < writes.length; start += 25) {
    let requests: Write[] = writes.slice(start, start + 25)
    while (requests.length > 0) {
      const { UnprocessedItems } = await client.send(
        new BatchWriteCommand({ RequestItems: { [TableName as string]: requests } }),
      )
      requests = (UnprocessedItems?.[TableName as string] ?? []) as Write[]
    }
  }
}
