/** One request in the log: nothing of what the caller sent, but for the product it belongs to (D5). */
export interface RequestLine {
  requestId: string
  operation: string
  productId: string | undefined
  status: number
  durationMilliseconds: number
  code?: string
  /** Why, in our own words. */
  reason?: string | undefined
}

/** Writes the one line that every request leaves in the log. */
export const logRequest = (line: RequestLine): void =>
  write(line.status < 500 ? 'INFO' : 'ERROR', { ...line })

/** Writes what is known of a defect, with everything like a credential struck out (D5). */
export const logDefect = (requestId: string, error: unknown): void =>
  write('ERROR', { requestId, defect: describe(error) })

/** Writes the one line that every message of the work queue leaves in the log. */
export const logWork = (line: {
  messageId: string
  kind?: string
  productId?: string
  error?: unknown
}): void =>
  'error' in line
    ? write('ERROR', { ...line, error: describe(line.error) })
    : write('INFO', { ...line })

function describe(error: unknown): string {
  const reason = error instanceof Error && 'reason' in error ? ` (${error.reason})` : ''
  const text = error instanceof Error ? (error.stack ?? String(error)) : String(error)
  return strikeOut(text) + reason
}

function write(level: 'INFO' | 'ERROR', line: Record<string, unknown>): void {
  console.log(JSON.stringify({ level, time: new Date().toISOString(), ...line }))
}

/**
 * Whatever in a text could be a credential or lead to one: API keys, JWTs, query strings, the path with
 * the indexer's key. Looked for all at once, because what is struck out first would cut the others short.
 */
const secret =
  /[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|\beyJ[\w-]*(?:\.[\w-]*)*|\?[^\s"']+|\/(?:v2|nft\/v3)\/[^/?\s"']+/g

const strikeOut = (text: string): string => text.replace(secret, '[struck out]')
