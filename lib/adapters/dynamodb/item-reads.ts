import { nextTick } from 'node:process'
import { ServiceUnavailable, unlessUnavailable } from '../../domain/failures.ts'
import { type RequestScope, requestScope } from '../../observability/request-scope.ts'
import { singleAttempt } from '../aws/aws-command.ts'
import { readBatch, readsPerBatch } from './batches.ts'
import { GetCommand } from './commands.ts'
import { type Key, keyText } from './keys/key.ts'
import type { Table } from './table.ts'

// Reads of single items. Those that begin at the same moment in the same request are one request to DynamoDB:
// GetItem for one item, and otherwise BatchGetItem.

type Item = Record<string, unknown>

/** Reads an item by a request of its own; `undefined` if there is none. The read is consistent. */
export async function getItem(
  { client, name: TableName }: Table,
  Key: Key,
): Promise<Item | undefined> {
  return (await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item
}

/** Reads an item; `undefined` if there is none. The read is consistent. Throws ServiceUnavailable if it fails. */
export const readItem = (table: Table, key: Key): Promise<Item | undefined> =>
  begin(table, key, { isNeeded: true })

/** The same for an item that nothing waits for: it is also `undefined` if DynamoDB does not return it at once. */
export const readItemOnce = (table: Table, key: Key): Promise<Item | undefined> =>
  begin(table, key, { isNeeded: false }).catch(unlessUnavailable)

/** The same for several items, in no order, and whether these are all that exist. */
export async function readItemsOnce(
  table: Table,
  keys: readonly Key[],
): Promise<{ items: Item[]; isComplete: boolean }> {
  const reads = await Promise.allSettled(keys.map((key) => begin(table, key, { isNeeded: false })))
  const failures = reads.flatMap((read) => (read.status === 'rejected' ? [read.reason] : []))
  const defect = failures.find((failure) => !(failure instanceof ServiceUnavailable))
  if (defect) throw defect
  return {
    items: reads.flatMap((read) => (read.status === 'fulfilled' && read.value ? [read.value] : [])),
    isComplete: failures.length === 0,
  }
}

interface Read {
  key: Key
  /** Whether DynamoDB is asked again if it does not return the item. */
  isNeeded: boolean
  result: PromiseWithResolvers<Item | undefined>
}

/** Reads that begin at the same moment, by the names of their keys. */
interface Batch {
  scope: RequestScope | undefined
  reads: Map<string, Read>
}

/** The batches that reads can still join. */
const openBatches = new WeakMap<Table, Batch>()

function begin(table: Table, key: Key, { isNeeded }: Pick<Read, 'isNeeded'>) {
  const { reads } = openBatch(table)
  const name = keyText(key)
  const read = reads.get(name) ?? { key, isNeeded, result: Promise.withResolvers() }
  read.isNeeded ||= isNeeded
  reads.set(name, read)
  return read.result.promise
}

function openBatch(table: Table): Batch {
  const scope = requestScope.getStore()
  const open = openBatches.get(table)
  if (open && open.scope === scope && open.reads.size < readsPerBatch) return open
  const batch: Batch = { scope, reads: new Map() }
  openBatches.set(table, batch)
  // Runs when the promises that are settled by now have continued.
  queueMicrotask(() => nextTick(send, table, batch))
  return batch
}

function send(table: Table, batch: Batch): void {
  if (openBatches.get(table) === batch) openBatches.delete(table)
  void settle(table, [...batch.reads.values()])
}

async function settle(table: Table, reads: readonly Read[]): Promise<void> {
  const [first, ...others] = reads
  try {
    await (first && others.length === 0 ? readOne(table, first) : readAll(table, reads))
  } catch (error) {
    for (const { result } of reads) result.reject(error)
  }
}

async function readOne({ client, name }: Table, { key, isNeeded, result }: Read): Promise<void> {
  const command = new GetCommand({ TableName: name, Key: key, ConsistentRead: true })
  const { Item } = await client.send(isNeeded ? command : singleAttempt(command))
  result.resolve(Item)
}

/** Each read has its item as soon as DynamoDB has processed it, because a request can be refused by one item alone. */
async function readAll(table: Table, reads: readonly Read[]): Promise<void> {
  const byName = new Map(reads.map((read) => [keyText(read.key), read]))
  const keys = reads.map(({ key }) => key)
  await readBatch(table, keys, {
    ConsistentRead: true,
    isSentOnce: !reads.some(({ isNeeded }) => isNeeded),
    found: (name, item) => byName.get(name)?.result.resolve(item),
    isAskedAgain(name) {
      const read = byName.get(name)
      if (read?.isNeeded) return true
      read?.result.reject(new ServiceUnavailable('DynamoDB: an item was not returned'))
      return false
    },
  })
}
