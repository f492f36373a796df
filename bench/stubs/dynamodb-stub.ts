import { AwsError, type Service } from '@player-nfts/local/aws/protocol'
import { meets, type Placeholders, type Update, updated } from './expressions.ts'
import { type Item, keyOf, type MemoryTable } from './memory-table.ts'
import { type QueryInput, query } from './queries.ts'

const maxBatchWrites = 25
const maxBatchReads = 100

interface Keyed {
  Key: Item
}

interface Conditional extends Placeholders {
  ConditionExpression?: string
  ReturnValues?: string
}

interface BatchRead {
  Keys: Item[]
}

type WriteRequest = { PutRequest: { Item: Item } } | { DeleteRequest: Keyed }

/** DynamoDB on a table in memory, with the actions of the functions and the naive peer, and the limits of batches. */
export function dynamodbStub(table: MemoryTable): Service {
  const found = ({ Key }: Keyed) => {
    const { pk, sk } = keyOf(Key)
    return table.get(pk, sk)
  }
  const check = (item: Item | undefined, { ConditionExpression, ...input }: Conditional) => {
    if (!ConditionExpression || meets(item, ConditionExpression, input)) return
    throw new AwsError('ConditionalCheckFailedException', 'The conditional request failed')
  }
  const remove = (keyed: Keyed) => {
    const { pk, sk } = keyOf(keyed.Key)
    table.delete(pk, sk)
  }
  const actions = {
    CreateTable: () => ({}),
    DescribeTable: () => ({ Table: { TableStatus: 'ACTIVE' } }),
    GetItem: (input: Keyed) => {
      const item = found(input)
      return item ? { Item: item } : {}
    },
    PutItem: (input: Conditional & { Item: Item }) => {
      check(found({ Key: input.Item }), input)
      table.put(input.Item)
      return {}
    },
    UpdateItem: (input: Conditional & Keyed & Update) => {
      const before = found(input)
      check(before, input)
      const after = updated({ ...before, ...input.Key }, input)
      table.put(after)
      return { Attributes: after }
    },
    DeleteItem: (input: Conditional & Keyed) => {
      const item = found(input)
      check(item, input)
      remove(input)
      return item && input.ReturnValues === 'ALL_OLD' ? { Attributes: item } : {}
    },
    Query: (input: QueryInput) => query(table, input),
    BatchGetItem: ({ RequestItems }: { RequestItems: Record<string, BatchRead> }) => {
      const answers = Object.entries(RequestItems).map(([name, { Keys }]) => {
        limit(Keys.length, maxBatchReads)
        return [name, Keys.map((Key) => found({ Key })).filter((item) => item !== undefined)]
      })
      return { Responses: Object.fromEntries(answers), UnprocessedKeys: {} }
    },
    BatchWriteItem: ({ RequestItems }: { RequestItems: Record<string, WriteRequest[]> }) => {
      const writes = Object.values(RequestItems).flat()
      limit(writes.length, maxBatchWrites)
      for (const write of writes) {
        if ('PutRequest' in write) table.put(write.PutRequest.Item)
        else remove(write.DeleteRequest)
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
