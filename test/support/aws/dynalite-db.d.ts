declare module 'dynalite/db/index.js' {
  /** An item in DynamoDB's protocol: each attribute with its type. */
  type Item = Record<string, Record<string, unknown>>

  /** A part of dynalite's LevelDB. */
  interface Sublevel {
    batch(
      operations: readonly { type: 'put'; key: string; value: Item }[],
      callback: (error: Error | null) => void,
    ): void
  }

  interface Store {
    db: { close(): Promise<void> }
    getTable(
      name: string,
      checkStatus: boolean,
      callback: (error: Error | null, table: object) => void,
    ): void
    getItemDb(name: string): Sublevel
  }

  /** Opens a folder that no running dynalite uses. */
  export function create(options: { path: string }): Store
  /** The key of an item in its sublevel. */
  export function createKey(item: Item, table: object): string
}
