import { AwsError, type Service } from '../../local/aws/protocol.ts'
import { attributeName, meets, type Placeholders, textOf } from './expressions.ts'
import {
  type AttributeValue,
  type Item,
  keyOf,
  type MemoryTable,
  type Range,
  sizeOf,
} from './memory-table.ts'

/** The limits of a Query page and of batches. */
const maxQueryBytes = 1_048_576
const maxBatchWrites = 25
const maxBatchReads = 100

interface Keyed {
  Key: Item
}

interface Conditional extends Placeholders {
  ConditionExpression?: string
  ReturnValues?: string
}

interface QueryInput extends Placeholders {
  KeyConditionExpression: string
  ProjectionExpression?: string
  ExclusiveStartKey?: Item
  Limit?: number
  Select?: string
}

type WriteRequest = { PutRequest: { Item: Item } } | { DeleteRequest: Keyed }

/**
 * DynamoDB on a table in memory, with the actions that the functions and the naive peer call and the
 * limits of pages and batches. Any other action is an UnknownOperationException.
 */
export function dynamodbStub(table: MemoryTable): Service {
  const found = ({ Key }: Keyed) => {
    const { pk, sk } = keyOf(Key)
    return table.get(pk, sk)
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
    UpdateItem: (input: Conditional & Keyed & { UpdateExpression: string }) => {
      const before = found(input)
      check(before, input)
      const after = updated({ ...before, ...input.Key }, input)
      table.put(after)
      return { Attributes: after }
    },
    DeleteItem: (input: Conditional & Keyed) => {
      const item = found(input)
      check(item, input)
      const { pk, sk } = keyOf(input.Key)
      table.delete(pk, sk)
      return item && input.ReturnValues === 'ALL_OLD' ? { Attributes: item } : {}
    },
    Query: (input: QueryInput) => query(table, input),
    BatchGetItem: ({ RequestItems }: { RequestItems: Record<string, { Keys: Item[] }> }) => {
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
        else table.delete(keyOf(write.DeleteRequest.Key).pk, keyOf(write.DeleteRequest.Key).sk)
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

function check(item: Item | undefined, { ConditionExpression, ...input }: Conditional): void {
  if (!ConditionExpression || meets(item, ConditionExpression, input)) return
  throw new AwsError('ConditionalCheckFailedException', 'The conditional request failed')
}

function limit(count: number, max: number): void {
  if (count > max) throw new AwsError('ValidationException', `at most ${max} items a batch`)
}

/** Applies `SET a = :a, b = :b` to an item. */
function updated(item: Item, input: Placeholders & { UpdateExpression: string }): Item {
  const assignments = input.UpdateExpression.replace(/^SET /, '').split(',')
  const set = assignments.map((assignment) => {
    const [name = '', value = ''] = assignment.split('=').map((side) => side.trim())
    return [attributeName(name, input), input.ExpressionAttributeValues?.[value]]
  })
  return { ...item, ...Object.fromEntries(set) }
}

function query(table: MemoryTable, input: QueryInput) {
  const { pk, range, last: lastSk } = rangeOf(input)
  const { Limit = Number.POSITIVE_INFINITY, ExclusiveStartKey: start, Select } = input
  const after = start && keyOf(start).sk
  const items: Item[] = []
  let bytes = 0
  let last: Item | undefined
  for (const item of table.range(pk, { ...range, ...(after && { after }) })) {
    if (lastSk && keyOf(item).sk > lastSk) break
    if (items.length === Limit || bytes > maxQueryBytes) {
      last = items.at(-1)
      break
    }
    items.push(item)
    bytes += sizeOf(item)
  }
  const key = last && { pk: last['pk'], sk: last['sk'] }
  return {
    Count: items.length,
    ScannedCount: items.length,
    ...(Select !== 'COUNT' && { Items: items.map((item) => projected(item, input)) }),
    ...(key && { LastEvaluatedKey: key }),
  }
}

/**
 * Parses `pk = :pk`, optionally with `AND sk > :after`, `AND begins_with(sk, :prefix)` or
 * `AND sk BETWEEN :after AND :last`, in which the stub leaves out the first key.
 */
function rangeOf(input: QueryInput): { pk: string; range: Range; last?: string } {
  const form =
    /^[#\w]+ = (:\w+)(?: AND (?:[#\w]+ > (:\w+)|begins_with\([#\w]+, (:\w+)\)|[#\w]+ BETWEEN (:\w+) AND (:\w+)))?$/
  const match = form.exec(input.KeyConditionExpression)
  if (!match) throw new AwsError('ValidationException', 'a key condition unknown to the stub')
  const [, pk, greater, prefix, first, last] = match.map((name) =>
    textOf(input.ExpressionAttributeValues?.[name]),
  )
  const after = greater || first
  return {
    pk: pk ?? '',
    range: { ...(after && { after }), ...(prefix && { prefix }) },
    ...(last && { last }),
  }
}

function projected(item: Item, input: QueryInput): Item {
  if (!input.ProjectionExpression) return item
  const names = input.ProjectionExpression.split(',').map((name) =>
    attributeName(name.trim(), input),
  )
  const present = names.filter((name) => item[name])
  return Object.fromEntries(present.map((name) => [name, item[name] as AttributeValue]))
}
