import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { damaged } from './damaged.ts'
import { checksumOf, type FileRegister, openFileRegister } from './file-register.ts'

/**
 * The JSON files of a folder, by their names with `/`. They are read before they are changed. File access is synchronous on purpose: no other action
 * changes a file between a read and a write, and each response is sent after its change is on the disk.
 * Each change either fails and changes nothing, or survives the end of the process.
 */
export interface JsonFiles {
  /** The names of the files that begin with `prefix`. */
  names(prefix: string): string[]
  /** Returns the content of a file, or `undefined` without one. Throws an error that names the file. */
  read<S extends v.GenericSchema>(name: string, schema: S): v.InferOutput<S> | undefined
  /** Writes a file that only its owner can read. */
  write(name: string, value: unknown): void
  remove(name: string): void
  move(name: string, to: string): void
  /** Registers the files as they are. Must be called before the first change. */
  register(): void
  /** The error for a file whose content cannot be used. */
  damaged(name: string, why: string): Error
  close(): void
}

/** The suffix of a file that is not yet complete. */
const besideSuffix = '.unfinished'

/** The files and folders whose JSON files belong to the services. */
const owned = ['kms.json', 'secrets-manager.json', 'sqs']

/**
 * Opens the JSON files of `folder`, whose checksums are in the file `checksums`. Throws an error that names
 * the file if a file is damaged, missing or unreadable. `isRegistered` is false for a folder that can be
 * without checksums: a new one, or one of an earlier release.
 */
export function openJsonFiles(folder: string, isRegistered: boolean): JsonFiles {
  const registerFile = join(folder, 'checksums')
  const wasThere = existsSync(registerFile)
  if (isRegistered && !wasThere) throw damaged(registerFile, 'it is missing')
  const pathOf = (name: string) => join(folder, ...name.split('/'))
  const found = new Map(
    namesOfFiles(folder).map((name) => [name, checksumOf(readContent(pathOf(name)))]),
  )
  const register = openFileRegister(registerFile, wasThere ? readContent(registerFile) : '')
  if (wasThere) check(register, found, pathOf, registerFile)
  return {
    names: (prefix) => [...found.keys()].filter((name) => name.startsWith(prefix)),
    read: (name, schema) => (found.has(name) ? parsed(pathOf(name), schema) : undefined),
    register: () => register.replace(found),
    write(name, value) {
      const text = `${JSON.stringify(value)}\n`
      const beside = writeBeside(pathOf(name), text)
      try {
        register.change({ [name]: checksumOf(text) }, () => renameSync(beside, pathOf(name)))
      } catch (error) {
        rmSync(beside, { force: true })
        throw error
      }
    },
    remove: (name) =>
      register.change({ [name]: null }, () => rmSync(pathOf(name), { force: true })),
    move(name, to) {
      const checksum = register.checksums.get(name) ?? null
      mkdirSync(dirname(pathOf(to)), { recursive: true })
      register.change({ [name]: null, [to]: checksum }, () => renameSync(pathOf(name), pathOf(to)))
    },
    damaged: (name, why) => damaged(pathOf(name), why),
    close: () => register.close(),
  }
}

/** Throws if the files differ from the register, before and after its uncertain change. */
function check(
  { checksums, uncertain = {} }: FileRegister,
  found: ReadonlyMap<string, string>,
  pathOf: (name: string) => string,
  registerFile: string,
): void {
  for (const [name, checksum] of checksums) {
    const actual = found.get(name)
    if (actual === checksum || (name in uncertain && (actual ?? null) === uncertain[name])) continue
    throw damaged(pathOf(name), actual === undefined ? 'it is missing' : 'wrong checksum')
  }
  for (const [name, actual] of found) {
    if (checksums.has(name) || uncertain[name] === actual) continue
    throw damaged(registerFile, `it does not contain ${name}`)
  }
}

/** Returns the names of the complete JSON files, and deletes incomplete ones. */
function namesOfFiles(folder: string): string[] {
  const names: string[] = []
  const visit = (name: string) => {
    const path = join(folder, name)
    if (name.endsWith('.json')) names.push(name)
    else if (name.endsWith(besideSuffix)) rmSync(path)
    else for (const entry of readFolder(path)) visit(`${name}/${entry}`)
  }
  for (const name of owned) if (existsSync(join(folder, name))) visit(name)
  return names
}

function readFolder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTDIR') return []
    throw new Error(`${path} cannot be read (${code})`, { cause: error })
  }
}

function readContent(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`${path} cannot be read (${code})`, { cause: error })
  }
}

function parsed<S extends v.GenericSchema>(path: string, schema: S): v.InferOutput<S> {
  const result = v.safeParse(schema, parseJson(path))
  if (result.success) return result.output
  // Names the place, not the value, which may be a secret.
  const place = v.getDotPath(result.issues[0]) ?? 'its top level'
  throw damaged(path, `unexpected content at ${place}`)
}

function parseJson(path: string): unknown {
  const text = readContent(path)
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message quotes the text, which may be a secret.
    throw damaged(path, 'not JSON')
  }
}

/** Writes a file beside `path`, flushes it, and returns its path. */
function writeBeside(path: string, text: string): string {
  const beside = `${path}${besideSuffix}`
  mkdirSync(dirname(path), { recursive: true })
  const descriptor = openSync(beside, 'w', 0o600)
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
    return beside
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}
