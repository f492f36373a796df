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
 * A value kept in one JSON file. File access is synchronous on purpose: what an action has read is
 * still true when it writes, and no answer leaves before the disk has what it acknowledges.
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

/** What `file` holds, `undefined` if there is no such file. Any other trouble throws, naming it. */
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
 * Makes `value` the content of `file`, readable by its owner only. Whoever kills the process finds
 * either the old content or the new one: it is written beside, flushed, and renamed into place.
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

/** How the name of a file ends that was still being written. */
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
