import { setTimeout as sleep } from 'node:timers/promises'
import type { AttributeValue, WriteRequest } from '@aws-sdk/client-dynamodb'
import { ServiceUnavailable } from '../../domain/failures.ts'
import { batchesOf, someAtOnce } from '../../domain/some-at-once.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { singleAttempt } from '../aws/aws-command.ts'
import { BatchGetCommand, BatchGetItemCommand, BatchWriteItemCommand } from './commands.ts'
import { type Key, keysOf, keyText } from './keys/key.ts'
import type { Table } from './table.ts'

const writesPerBatch = 25
export const readsPerBatch = 100

/** The attempts for unprocessed items, and the maximum of the first wait. */
const attempts = 8
const firstWaitMilliseconds = 50

/**
 * A key in DynamoDB's own form. Batches of keys bypass the conversions of the document client, which take a fifth
 * of the processor time of a batch.
 */
type KeyAttributes = Record<string, AttributeValue>

const attributesOf = ({ pk, sk }: Key): KeyAttributes => ({ pk: { S: pk }, sk: { S: sk } })

const keyOf = ({ pk, sk }: KeyAttributes): Key => ({ pk: pk?.S ?? '', sk: sk?.S ?? '' })

/** Puts an item that has nothing but its key, for each key, in parallel batches of 25. */
export const putAll = (table: Table, keys: readonly Key[]): Promise<void> =>
  writeAll(
    table,
    keys.map((key) => ({ PutRequest: { Item: attributesOf(key) } })),
  )

/** Deletes the items with these keys in parallel batches of 25. */
export const deleteAll = (table: Table, keys: readonly Key[]): Promise<void> =>
  writeAll(
    table,
    keys.map((key) => ({ DeleteRequest: { Key: attributesOf(key) } })),
  )

async function writeAll({ client, name, requestsAtOnce }: Table, writes: readonly WriteRequest[]) {
  await inParallel(batchesOf(writes, writesPerBatch), requestsAtOnce, async (chunk) => {
    await untilProcessed(chunk, async (RequestItems) => {
      const command = new BatchWriteItemCommand({ RequestItems: { [name]: RequestItems } })
      const { UnprocessedItems } = await client.send(command)
      return UnprocessedItems?.[name] ?? []
    })
  })
}

/** Returns the keys that exist. Reads are consistent, 100 keys at a time, each key once. */
export async function existing(
  { client, name, requestsAtOnce }: Table,
  keys: readonly Key[],
): Promise<Key[]> {
  const distinct = [...new Map(keys.map((key) => [keyText(key), key])).values()]
  const found: Key[] = []
  const batches = batchesOf(distinct.map(attributesOf), readsPerBatch)
  await inParallel(batches, requestsAtOnce, async (batch) => {
    await untilProcessed(batch, async (Keys) => {
      const request = { Keys, ProjectionExpression: 'pk, sk', ConsistentRead: true }
      const command = new BatchGetItemCommand({ RequestItems: { [name]: request } })
      const { Responses, UnprocessedKeys } = await client.send(command)
      found.push(...(Responses?.[name] ?? []).map(keyOf))
      return UnprocessedKeys?.[name]?.Keys ?? []
    })
  })
  return found
}

/** Items by the texts of their keys, those that exist. Reads are consistent; each key is different. */
export async function itemsByKey(table: Table, keys: readonly Key[]): Promise<Map<string, Item>> {
  const items = new Map<string, Item>()
  const found = (name: string, item: Item | undefined) => {
    if (item) items.set(name, item)
  }
  await inParallel(batchesOf(keys, readsPerBatch), table.requestsAtOnce, (batch) =>
    readBatch(table, batch, { found, ConsistentRead: true }),
  )
  return items
}

type Item = Record<string, unknown>

interface BatchRead {
  ProjectionExpression?: string
  ConsistentRead?: boolean
  /** Whether the first request is sent once, whatever becomes of it: see {@link singleAttempt}. */
  isSentOnce?: boolean
  /** Called for each key that is processed, with its text and the item; `undefined` if there is none. */
  found(name: string, item: Item | undefined): void
  /** Whether a key that is not processed is asked for again. By default, each is. */
  isAskedAgain?(name: string): boolean
}

/** Reads at most 100 items, each different. */
export async function readBatch(
  { client, name: TableName }: Table,
  keys: readonly Key[],
  { isSentOnce, found, isAskedAgain = () => true, ...request }: BatchRead,
): Promise<void> {
  if (keys.length === 0) return
  await untilProcessed(keys, async (Keys) => {
    const command = new BatchGetCommand({ RequestItems: { [TableName]: { ...request, Keys } } })
    const { Responses, UnprocessedKeys } = await client.send(
      isSentOnce ? singleAttempt(command) : command,
    )
    const rest = keysOf(UnprocessedKeys?.[TableName]?.Keys ?? [])
    const unprocessed = new Set(rest.map(keyText))
    const items = new Map(Responses?.[TableName]?.map((item) => [keyText(item), item]))
    for (const name of Keys.map(keyText)) {
      if (!unprocessed.has(name)) found(name, items.get(name))
    }
    return rest.filter((key) => isAskedAgain(keyText(key)))
  })
}

/** Sends a batch, and sends unprocessed items again with exponential backoff and jitter. */
async function untilProcessed<Request>(
  batch: readonly Request[],
  send: (requests: Request[]) => Promise<Request[]>,
): Promise<void> {
  let rest = [...batch]
  for (let attempt = 1; ; attempt += 1) {
    rest = await send(rest)
    if (rest.length === 0) return
    if (attempt === attempts) throw unprocessed()
    await sleep(Math.random() * firstWaitMilliseconds * 2 ** (attempt - 1))
  }
}

function unprocessed(): ServiceUnavailable {
  downstreamCalls.countFailure('dynamodb')
  return new ServiceUnavailable('DynamoDB: items stayed unprocessed')
}

/** The number by which the failures of a pass may exceed its successes, and of passes without a success. */
const failuresAhead = 8
const fruitlessPasses = 3

/**
 * Runs a task for each item like {@link inParallel}, and again for the items whose task failed because
 * the service is unavailable, as long as other tasks succeed: a part of the calls that fails delays the
 * whole and does not prevent it (D38). Throws the failure if it outweighs the successes.
 */
export async function untilAllSucceed<Item>(
  items: readonly Item[],
  atOnce: number,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  let rest = items
  let succeeded = 0
  for (let fruitless = 0; ; ) {
    const pass = { failed: [] as Item[], failure: undefined as unknown, succeeded: 0 }
    await inParallel(rest, atOnce, async (item) => {
      try {
        await task(item)
        pass.succeeded += 1
      } catch (error) {
        if (!(error instanceof ServiceUnavailable)) throw error
        pass.failed.push(item)
        pass.failure = error
        if (pass.failed.length > pass.succeeded + failuresAhead) throw error
      }
    })
    if (pass.failed.length === 0) return
    succeeded += pass.succeeded
    fruitless = pass.succeeded === 0 ? fruitless + 1 : 0
    if (succeeded === 0 || fruitless === fruitlessPasses) throw pass.failure
    rest = pass.failed
    await sleep(Math.random() * firstWaitMilliseconds * 2 ** (fruitless + 1))
  }
}

/** Like {@link someAtOnce}, for tasks without a result: nothing is written after the caller knows of a failure. */
export async function inParallel<Item>(
  items: readonly Item[],
  atOnce: number,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  await someAtOnce(items, atOnce, task)
}
