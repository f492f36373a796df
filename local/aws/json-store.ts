import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import * as v from 'valibot'

/**
 * A value kept in one JSON file. File access is synchronous on purpose: no other action changes the value
 * between a read and a write, and each response is sent after its change is on the disk.
 */
export interface JsonStore<T> {
  readonly value: T
  /** Returns once the new value is in the file; if that fails, throws and changes nothing. */
  replace(value: T): void
}

/** Opens the store in `file`, with `initial` as its value as long as there is no such file. */
export function openJsonStore<S extends v.GenericSchema>(
  file: string,
  schema: S,
  initial: v.InferOutput<S>,
): JsonStore<v.InferOutput<S>> {
  let value = readJsonFile(file, schema) ?? initial
  return {
    get value() {
      return value
    },
    replace(next) {
      writeJsonFile(file, next)
      value = next
    },
  }
}

/** Returns the content of `file`, or `undefined` if it does not exist. Other errors name the file. */
export function readJsonFile<S extends v.GenericSchema>(
  file: string,
  schema: S,
): v.InferOutput<S> | undefined {
  const text = readText(file)
  if (text === undefined) return undefined
  const parsed = v.safeParse(schema, parse(file, text))
  if (parsed.success) return parsed.output
  // Names the place, not the value, which may be a secret.
  throw damaged(file, `unexpected content at ${v.getDotPath(parsed.issues[0]) ?? 'its top level'}`)
}

/**
 * Makes `value` the content of `file`, readable by its owner only. The value is written to a second file,
 * flushed, and renamed into place, so that a killed process leaves the old content or the new content.
 */
export function writeJsonFile(file: string, value: unknown): void {
  const beside = `${file}${besideSuffix}`
  mkdirSync(dirname(file), { recursive: true })
  const descriptor = openSync(beside, 'w', 0o600)
  try {
    writeFileSync(descriptor, `${JSON.stringify(value)}\n`)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(beside, file)
}

/** The suffix of a file that is not yet complete. */
export const besideSuffix = '.unfinished'

/** The error for a file whose content cannot be used. */
export function damaged(file: string, why: string): Error {
  return new Error(`${file} is damaged (${why}): restore it or delete it`)
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new Error(`${file} cannot be read (${code})`, { cause: error })
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message quotes the text, which may be a secret.
    throw damaged(file, 'not JSON')
  }
}
