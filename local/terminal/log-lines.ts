import type { ServedRequest } from '../api-gateway/api-gateway.ts'

/** Everything that is not printable ASCII, such as the control sequences of a terminal. */
const unprintable = /[^\x20-\x7e]/g

const longestPath = 80

/** Returns the line for a request: time, method, path without the query, status, duration. */
export function requestLine(
  { method, path, status, milliseconds }: ServedRequest,
  now: Date,
): string {
  const printable = path.replace(unprintable, '?')
  const short = printable.length > longestPath ? `${printable.slice(0, longestPath)}…` : printable
  return `${timeOf(now)} ${method} ${short} ${status} ${Math.round(milliseconds)} ms`
}

/**
 * Returns what a person must know of a line that a function or service has logged: the reason of a failure.
 * Returns `undefined` for a line of a success. A line that is not JSON is returned as it is.
 */
export function failureLine(line: string, now: Date): string | undefined {
  const fields = fieldsOf(line)
  if (!fields) return line
  if (fields['level'] !== 'ERROR') return undefined
  const { operation, kind, code, reason, defect, error } = fields
  const [cause = 'failed'] = String(reason ?? defect ?? error ?? code ?? 'failed').split('\n')
  const subject = [operation ?? kind, code].filter((part) => part !== undefined)
  return `${timeOf(now)} ${[...subject, cause].map(String).join(': ')}`
}

function fieldsOf(line: string): Record<string, unknown> | undefined {
  try {
    const fields: unknown = JSON.parse(line)
    if (typeof fields === 'object' && fields !== null) return fields as Record<string, unknown>
  } catch {
    // Not JSON.
  }
  return undefined
}

const timeOf = (date: Date): string => date.toTimeString().slice(0, 8)
