import type * as v from 'valibot'
import type { JsonFiles } from './json-files.ts'

/** A value kept in one JSON file. */
export interface JsonStore<T> {
  readonly value: T
  /** Returns once the new value is in the file; if that fails, throws and changes nothing. */
  replace(value: T): void
}

/** Opens the store in a file, with `initial` as its value as long as there is no such file. */
export function openJsonStore<S extends v.GenericSchema>(
  files: JsonFiles,
  name: string,
  schema: S,
  initial: v.InferOutput<S>,
): JsonStore<v.InferOutput<S>> {
  let value = files.read(name, schema) ?? initial
  return {
    get value() {
      return value
    },
    replace(next) {
      files.write(name, next)
      value = next
    },
  }
}
