import { chmodSync, closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'

/** A log in a file that only its owner can read. */
export interface LogFile {
  readonly path: string
  /** Appends a line. If that fails, `warn` receives the reason, once. */
  write(line: string): void
  close(): void
}

/** In bytes. A file that reaches this size becomes `<path>.1`, and replaces the one before. */
const largestFile = 32 * 1024 * 1024

/** Opens the log in `path`, and appends to what it contains. Throws Node's error. */
export function openLogFile(path: string, warn: (line: string) => void): LogFile {
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
    write(line) {
      try {
        bytes += writeSync(descriptor, `${line}\n`)
        if (bytes >= largestFile) startAnew()
      } catch (error) {
        if (!hasWarned) warn(`${path} cannot be written: ${(error as Error).message}`)
        hasWarned = true
      }
    },
    close: () => closeSync(descriptor),
  }
}
