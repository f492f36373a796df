import { expect } from 'vitest'
import type { Received } from './client.ts'

/** What a function writes about a request or a message. */
export type LogLine = Record<string, unknown>

/** The first line of a log that is meant, which may be written a moment after what it is about. */
export async function lineWhere(
  log: readonly string[],
  isMeant: (line: LogLine) => boolean,
): Promise<LogLine> {
  const find = () => log.map((line): LogLine => JSON.parse(line)).find(isMeant)
  await expect.poll(find).toBeDefined()
  return find() ?? {}
}

/** The log line of a request, from its response. */
export const lineOf = (log: readonly string[], { headers }: Received): Promise<LogLine> =>
  lineWhere(
    log,
    (line) => line['requestId'] === headers.get('apigw-requestid') && 'operation' in line,
  )
