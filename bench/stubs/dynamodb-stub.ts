import type * as sdk from '@aws-sdk/client-dynamodb'
import { AwsError, type Service } from '@player-nfts/local/aws/protocol'
import { meets, updated } from './expressions.ts'
import { type Item, keyOf, type MemoryTable } from './memory-table.ts'
import { query } from './queries.ts'

const maxBatchWrites = 25
const maxBatchReads = 100

/** DynamoDB on a table in memory, with the actions of the functions and the naive peer, and the limits of batches. */
export function dynamodbStub(table: MemoryTable): Service {
  const found = (key: Item = {}) => {
    const { pk, sk } = keyOf(key)
    return table.get(pk, sk)
  }
  const check = (item: Item | undefined, input: Omit<sdk.DeleteItemInput, 'Key'>) => {
    const { ConditionExpression } = input
    if (!ConditionExpression || meets(item, ConditionExpression, input)) return
    throw new AwsError('ConditionalCheckFailedException', 'The conditional request failed')
  }
  const remove = (key: Item = {}) => {
    const { pk, sk } = keyOf(key)
    table.delete(pk, sk)
  }
  const actions = {
    CreateTable: () => ({}),
    DescribeTable: () => ({ Table: { TableStatus: 'ACTIVE' } }),
    GetItem: ({ Key }: sdk.GetItemInput) => {
      const item = found(Key)
      return item ? { Item: item } : {}
    },
    PutItem: ({ Item = {}, ...input }: sdk.PutItemInput) => {
      check(found(Item), input)
      table.put(Item)
      return {}
    },
    UpdateItem: (input: sdk.UpdateItemInput) => {
      const before = found(input.Key)
      check(before, input)
      const after = updated({ ...before, ...input.Key }, input)
      table.put(after)
      return { Attributes: after }
    },
    DeleteItem: (input: sdk.DeleteItemInput) => {
      const item = found(input.Key)
      check(item, input)
      remove(input.Key)
      return item && input.ReturnValues === 'ALL_OLD' ? { Attributes: item } : {}
    },
    Query: (input: sdk.QueryInput) => query(table, input),
    BatchGetItem: ({ RequestItems = {} }: sdk.BatchGetItemInput) => {
      const answers = Object.entries(RequestItems).map(([name, { Keys = [] }]) => {
        limit(Keys.length, maxBatchReads)
        return [name, Keys.map((key) => found(key)).filter((item) => item !== undefined)]
      })
      return { Responses: Object.fromEntries(answers), UnprocessedKeys: {} }
    },
    BatchWriteItem: ({ RequestItems = {} }: sdk.BatchWriteItemInput) => {
      const writes = Object.values(RequestItems).flat()
      limit(writes.length, maxBatchWrites)
      for (const { PutRequest, DeleteRequest } of writes) {
        if (PutRequest?.Item) table.put(PutRequest.Item)
        else remove(DeleteRequest?.Key)
      }
      return { UnprocessedItems: {} }
    },
  }
  return {
    prefix: 'DynamoDB_20120810',
    contentType: 'application/x-amz-json-1.0',
    actions: actions as unknown as Service['actions'],
  }
}

function limit(count: number, max: number): void {
  if (count > max) throw new AwsError('ValidationException', `at most ${max} items a batch`)
}
