import { Readable } from 'node:stream'
import { create, type Store, type StoreDatabase } from 'dynalite/db/index.js'
import type { Change, Range, TableFiles } from './table-files.ts'

/**
 * Returns the store of dynalite over the tables. dynalite's own database does not close the iterator of a
 * Query, and deletes the description of a table that it cannot parse; here it stays empty in memory, and
 * these functions take the place of its functions. Tables are active as soon as they are created.
 */
export function dynaliteStore(files: TableFiles): Store {
  const store = create({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 })
  Object.assign(store.db, {
    get: (key, done) => {
      const value = files.get(key).then((text) => text && JSON.parse(text))
      settle(value, done)
    },
    put: (key, value, done) => settle(files.write([put(key, value)]), done),
    del: (key, done) => settle(files.write([{ type: 'del', key }]), done),
    batch: (operations, done) => {
      const changes = operations.map((operation) =>
        operation.type === 'put' ? put(operation.key, operation.value) : operation,
      )
      settle(files.write(changes), done)
    },
    createKeyStream: () => Readable.from(keys(files)),
    createValueStream: (range) => Readable.from(parsed(files, range)),
  } satisfies StoreDatabase)
  return store
}

const put = (key: string, value: unknown): Change => ({
  type: 'put',
  key,
  value: JSON.stringify(value),
})

/** Reads all keys before the first one is used, because dynalite does not end this stream early. */
async function* keys(files: TableFiles): AsyncGenerator<string> {
  const read: string[] = []
  for await (const [key] of files.entries({})) read.push(key)
  yield* read
}

async function* parsed(files: TableFiles, range: Range): AsyncGenerator<unknown> {
  for await (const [, text] of files.entries(range)) yield JSON.parse(text)
}

function settle<T>(result: Promise<T>, done: (error: unknown, value?: T) => void): void {
  // In a task of its own, so that an exception of the callback is not taken for a failure of the result.
  result.then(
    (value) => setImmediate(done, null, value),
    (error: unknown) => setImmediate(done, error),
  )
}
