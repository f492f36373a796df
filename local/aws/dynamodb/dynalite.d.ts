declare module 'dynalite' {
  import type { Server } from 'node:http'

  /** An HTTP server that speaks DynamoDB; it opens its LevelDB at once and closes it with itself. */
  function dynalite(options: {
    path: string
    createTableMs?: number
    deleteTableMs?: number
    updateTableMs?: number
  }): Server
  export = dynalite
}
