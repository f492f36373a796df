declare module 'dynalite' {
  import type { Server } from 'node:http'

  /** Returns an HTTP server for the DynamoDB protocol. It opens its LevelDB at once, and closes it when it closes. */
  function dynalite(options: {
    path: string
    createTableMs?: number
    deleteTableMs?: number
    updateTableMs?: number
  }): Server
  export = dynalite
}
