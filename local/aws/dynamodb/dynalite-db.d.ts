declare module 'dynalite/db/index.js' {
  import type { Readable } from 'node:stream'

  /** An item in DynamoDB's protocol: each attribute with its type. */
  type Item = Record<string, object>
  type Done = (error: unknown, value?: unknown) => void
  type Operation = import('../entries.ts').Change
  type Range = import('../entries.ts').Range

  /** The functions through which dynalite uses its LevelDB. They resolve names at each call. */
  export interface StoreDatabase {
    get(key: string, done: Done): void
    put(key: string, value: unknown, done: Done): void
    del(key: string, done: Done): void
    batch(operations: readonly Operation[], done: Done): void
    createKeyStream(range?: Range): Readable
    createValueStream(range: Range): Readable
  }

  /** A part of the entries, whose keys have a common prefix. */
  interface Sublevel {
    batch(operations: readonly Operation[], done: Done): void
    createKeyStream(range?: Range): Readable
  }

  export interface Store {
    db: StoreDatabase
    tableDb: Sublevel
    getTable(
      name: string,
      checkStatus: boolean,
      callback: (error: unknown, table?: { TableStatus: string }) => void,
    ): void
    getItemDb(name: string): Sublevel
  }

  /** Without a path, the database is in memory. Times in milliseconds. */
  export function create(options: {
    createTableMs?: number
    deleteTableMs?: number
    updateTableMs?: number
  }): Store
  /** The key of an item in its sublevel. */
  export function createKey(item: Item, table: object): string
  /** The size of an item in bytes, as DynamoDB counts it. */
  export function itemSize(item: Item): number
}
