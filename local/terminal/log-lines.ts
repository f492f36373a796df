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
 * Returns what a person must know of a line that a function or service has logged: the reason of a failure, and of a refused
 * user JWT, with the command that explains it. Returns `undefined` for any other line. A line that is not JSON is returned as
 * it is.
 */
export function failureLine(line: string, now: Date): string | undefined {
  const fields = fieldsOf(line)
  if (!fields) return line
  const { operation, kind, code, reason, defect, error } = fields
  const isRefusedLogin = code === 'invalid_user_token'
  if (fields['level'] !== 'ERROR' && !isRefusedLogin) return undefined
  const [cause = 'failed'] = String(reason ?? defect ?? error ?? code ?? 'failed').split('\n')
  const subject = [operation ?? kind, code].filter((part) => part !== undefined)
  const advice = isRefusedLogin ? ' (npm run check-login -- <user JWT> says more)' : ''
  return `${timeOf(now)} ${[...subject, cause].map(String).join(': ')}${advice}`
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
