import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import dynalite from 'dynalite'
import { openLevelFolder } from '../level-folder.ts'

/** DynamoDB with its data in a folder. */
export interface Dynamodb {
  /** Responds to a request whose body has been read. */
  respond(request: IncomingMessage, body: Buffer, response: ServerResponse): void
  close(): Promise<void>
}

/** The prefix of the action in `X-Amz-Target`. */
export const dynamodbPrefix = 'DynamoDB_20120810'

/**
 * Opens dynalite on `folder`. Tables are active as soon as they are created. Rejects if another process uses
 * the folder, or if it cannot be opened.
 */
export async function openDynamodb(folder: string): Promise<Dynamodb> {
  // dynalite reports a failure to open only on its first request, as an uncaught exception.
  await (await openLevelFolder(folder)).close()
  const server = dynalite({ path: folder, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 })
  return {
    respond(request, body, response) {
      // dynalite throws if a client disconnects during a request, so it receives only complete requests.
      const { method, url, headers } = request
      server.emit(
        'request',
        Object.assign(Readable.from([body]), { method, url, headers }),
        response,
      )
    },
    async close() {
      // dynalite closes its database only if its server listens.
      await once(server.listen(0, '127.0.0.1'), 'listening')
      await promisify(server.close.bind(server))()
    },
  }
}
