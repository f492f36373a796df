import { newChanges } from './changes.ts'

/**
 * The IndexedDB database for what is too large for sessionStorage: lists of token identifiers that are being
 * written or sent. It never has an API key or a token.
 */
const databaseName = 'player-nfts'

const storeName = 'values'

/** Returns the value with this key, or `undefined`. Rejects if the browser has no database. */
export async function readLocal<Value>(key: string): Promise<Value | undefined> {
  return await inStore('readonly', (store) => store.get(key))
}

/** Returns the values whose keys begin with a text. Rejects if the browser has no database. */
export async function localValues<Value>(prefix: string): Promise<Value[]> {
  const keys = IDBKeyRange.bound(prefix, `${prefix}\uffff`)
  return await inStore('readonly', (store) => store.getAll(keys))
}

/** Keeps values by their keys, all or none. Rejects if the browser has no database, or no room. */
export async function writeLocal(values: Readonly<Record<string, unknown>>): Promise<void> {
  await inStore('readwrite', (store) => {
    const requests = Object.entries(values).map(([key, value]) => store.put(value, key))
    return requests.at(-1) as IDBRequest
  })
}

/** Removes the values with these keys. Rejects if the browser has no database. */
export async function removeLocal(...keys: string[]): Promise<void> {
  await inStore('readwrite', (store) => {
    const requests = keys.map((key) => store.delete(key))
    return requests.at(-1) as IDBRequest
  })
}

/** Removes everything, also for other tabs. Rejects if the browser has no database. */
export async function clearLocal(): Promise<void> {
  clearing.changed()
  await inStore('readwrite', (store) => store.clear())
}

const clearing = newChanges()

/** Calls a listener before everything is removed. */
export const beforeClearing = clearing.subscribe

/** Runs requests in one transaction, and returns the result of the last one when it is committed. */
async function inStore<Result>(
  mode: IDBTransactionMode,
  run: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await openDatabase()
  try {
    const transaction = database.transaction(storeName, mode)
    const request = run(transaction.objectStore(storeName))
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
    })
    return request.result
  } finally {
    database.close()
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(storeName)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
