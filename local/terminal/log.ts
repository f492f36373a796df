import { chmodSync, closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'
import { problemPath } from '@player-nfts/dashboard/shell/docs-paths'
import { problems } from '../../lib/domain/problems.ts'
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

/**
 * Returns a function for the lines that functions log: once for each problem of the API, it returns a line with the URL of its
 * description on the pages of the service at `url`, for below the failure.
 */
export function problemLinks(): (line: string, url: string) => string | undefined {
  const shown = new Set<string>()
  return (line, url) => {
    const code = String(fieldsOf(line)?.['code'])
    if (!Object.hasOwn(problems, code) || shown.has(code)) return undefined
    shown.add(code)
    return `         What ${code} means: ${url}${problemPath(code)}`
  }
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

/** In bytes. A file that reaches this size becomes `<path>.1`, and replaces the one before. */
const largestFile = 32 * 1024 * 1024

/** A log in a file that only its owner can read. */
export type LogFile = ReturnType<typeof openLogFile>

/** Opens the log in `path`, and appends to what it contains. Throws Node's error. */
export function openLogFile(path: string, warn: (line: string) => void) {
  let descriptor = openSync(path, 'a', 0o600)
  chmodSync(path, 0o600)
  let bytes = fstatSync(descriptor).size
  let hasWarned = false

  const startAnew = () => {
    renameSync(path, `${path}.1`)
    closeSync(descriptor)
    descriptor = openSync(path, 'a', 0o600)
    bytes = 0
  }
  return {
    path,
    /** Appends a line. If that fails, `warn` receives the reason, once. */
    write(line: string) {
      try {
        bytes += writeSync(descriptor, `${line}\n`)
        if (bytes >= largestFile) startAnew()
      } catch (error) {
        if (!hasWarned) warn(`${path} cannot be written: ${(error as Error).message}`)
        hasWarned = true
      }
    },
  }
}
