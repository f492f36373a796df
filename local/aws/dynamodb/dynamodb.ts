import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import dynalite from 'dynalite'
import { openLevelFolder } from '../level-folder.ts'

/** DynamoDB, kept in a folder. */
export interface Dynamodb {
  /** Answers a request whose body has been read. */
  answer(request: IncomingMessage, body: Buffer, response: ServerResponse): void
  close(): Promise<void>
}

/** What stands before the action in `X-Amz-Target`. */
export const dynamodbPrefix = 'DynamoDB_20120810'

/**
 * Opens dynalite on `folder`; tables are there as soon as they are created. A folder that another
 * process has, or that cannot be opened, throws.
 */
export async function openDynamodb(folder: string): Promise<Dynamodb> {
  // dynalite says only with its first request, by an uncaught exception, that opening failed.
  await (await openLevelFolder(folder)).close()
  const server = dynalite({ path: folder, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 })
  return {
    answer(request, body, response) {
      // A request that breaks off half-way makes dynalite throw; one read to its end cannot.
      const { method, url, headers } = request
      server.emit(
        'request',
        Object.assign(Readable.from([body]), { method, url, headers }),
        response,
      )
    },
    async close() {
      // dynalite closes its database only behind a server that listens.
      await once(server.listen(0, '127.0.0.1'), 'listening')
      await promisify(server.close.bind(server))()
    },
  }
}
