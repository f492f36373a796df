import { Readable } from 'node:stream'
import { create, type Store, type StoreDatabase } from 'dynalite/db/index.js'
import type { Entries, Range } from '../entries.ts'

/**
 * Returns the store of dynalite over the tables. dynalite's own database does not close the iterator of a
 * Query, and deletes the description of a table that it cannot parse; here it stays empty in memory, and
 * these functions take the place of its functions. Tables are active as soon as they are created.
 */
export function dynaliteStore(entries: Entries): Store {
  const store = create({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 })
  Object.assign(store.db, {
    get: (key, done) => settle(entries.get(key), done),
    put: (key, value, done) => settle(entries.write([{ type: 'put', key, value }]), done),
    del: (key, done) => settle(entries.write([{ type: 'del', key }]), done),
    batch: (operations, done) => settle(entries.write(operations), done),
    createKeyStream: () => Readable.from(keysOfTables(entries)),
    createValueStream: (range) => Readable.from(values(entries, range)),
  } satisfies StoreDatabase)
  return store
}

/** Reads all keys before the first one is used, because dynalite does not end this stream early. */
async function* keysOfTables(entries: Entries): AsyncGenerator<string> {
  yield* await Array.fromAsync(entries.entries({ gte: '\u0001' }), ([key]) => key)
}

async function* values(entries: Entries, range: Range): AsyncGenerator<unknown> {
  for await (const [, value] of entries.entries(range)) yield value
}

function settle<T>(result: Promise<T>, done: (error: unknown, value?: T) => void): void {
  // In a task of its own, so that an exception of the callback is not taken for a failure of the result.
  result.then(
    (value) => setImmediate(done, null, value),
    (error: unknown) => setImmediate(done, error),
  )
}
