import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { damaged } from './level-folder.ts'

/**
 * The number of acknowledged writes to the entries, in a file of its own. An entry contains the same
 * number. If it is smaller when the folder is opened, the end of their files is missing.
 */
export type WriteCount = ReturnType<typeof openWriteCount>

/** Opens the file. Throws if its content was changed by others. */
export function openWriteCount(file: string) {
  const stored = read(file)
  let descriptor: number | undefined
  return {
    /** The number in the file when it was opened; `undefined` without a file. */
    stored,
    /** Puts a number into the file before it returns. */
    store(count: number) {
      descriptor ??= openSync(file, stored === undefined ? 'w' : 'r+', 0o600)
      // Each line has the same length, and is written in one call, so that a killed process leaves a whole line.
      writeSync(descriptor, lineOf(count), 0)
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor)
    },
  }
}

function read(file: string): number | undefined {
  let line: string
  try {
    line = readFileSync(file, 'latin1')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new Error(`${file} cannot be read (${code})`, { cause: error })
  }
  const count = Number.parseInt(line, 10)
  if (line === lineOf(count)) return count
  throw damaged(file, 'unexpected content')
}

function lineOf(count: number): string {
  const digits = String(count).padStart(16, '0')
  return `${digits} ${createHash('sha256').update(digits).digest('hex')}\n`
}
