import { existsSync, mkdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Level } from 'level'
import { concurrencyLimit } from '../lambda/concurrency-limit.ts'
import { damaged, openLevelFolder } from './level-folder.ts'
import { checkLevelFiles } from './leveldb/check-level-files.ts'
import { openWriteCount, type WriteCount } from './write-count.ts'

/** A change of one entry, whose value is kept as JSON. */
export type Change = { type: 'put'; key: string; value: unknown } | { type: 'del'; key: string }

/** The entries to read, in LevelDB's terms. A limit of -1 is no limit. */
export interface Range {
  gt?: string
  gte?: string
  lt?: string
  lte?: string
  reverse?: boolean
  limit?: number
}

/**
 * The entries of all services, kept in a folder. Each has a checksum, and is never read with another value. The keys of
 * DynamoDB's begin with the kind of its entry, and those of the other services with the character 0.
 */
export interface Entries {
  get(key: string): Promise<unknown>
  /**
   * Resolves when all changes are in a file. Rejects if they cannot be written, for example because the
   * disk is full; later writes succeed when the reason is gone.
   */
  write(changes: readonly Change[]): Promise<void>
  /** The end of the iteration, also an early end, closes the iterator of LevelDB. */
  entries(range: Range): AsyncGenerator<[key: string, value: unknown]>
  close(): Promise<void>
}

/** The entry with the number of writes. */
const countKey = '\u0000count'

/** Space for what LevelDB writes when it opens a folder, in bytes: its buffer of 4 MiB, and a MANIFEST. */
const roomToOpen = 5 * 1024 * 1024

/**
 * Opens the entries in `folder`, which only its owner can read. `countFile` keeps the number of acknowledged writes. Rejects with an error
 * that names the file if another process uses the folder, or if a file is damaged, missing or unreadable.
 */
export async function openEntries(folder: string, countFile: string): Promise<Entries> {
  const acknowledged = openWriteCount(countFile)
  if (existsSync(folder)) checkLevelFiles(folder)
  if (acknowledged.stored !== undefined && !existsSync(join(folder, 'CURRENT'))) {
    throw damaged(join(folder, 'CURRENT'), 'it is missing')
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const opened = await openLevelFolder(folder)
  try {
    await readAll(opened, folder)
    return await entriesOf(opened, folder, countFile, acknowledged)
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** LevelDB opens a table file only to read it, and does not verify the checksums of what it reads. */
async function readAll(level: Level, folder: string): Promise<void> {
  try {
    for await (const [key, text] of level.iterator()) verified(folder, key, text)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw code === undefined ? error : damaged(folder, message)
  }
}

function withChecksum(change: Change) {
  if (change.type === 'del') return change
  const text = JSON.stringify(change.value)
  return { ...change, value: `${text}\n${checksum(change.key, text)}` }
}

const checksum = (key: string, value: string) =>
  crc32(`${key}\n${value}`).toString(16).padStart(8, '0')

/** Returns the value of an entry without its checksum. Throws if it is not the value that was written. */
function verified(folder: string, key: string, text: string): unknown {
  const value = text.slice(0, -9)
  if (text === `${value}\n${checksum(key, value)}`) return JSON.parse(value)
  throw damaged(folder, 'wrong checksum of an entry')
}

async function entryOf(level: Level, folder: string, key: string): Promise<unknown> {
  const text = await level.get(key)
  return text === undefined ? undefined : verified(folder, key, text)
}

async function entriesOf(
  opened: Level,
  folder: string,
  countFile: string,
  acknowledged: WriteCount,
): Promise<Entries> {
  let level = opened
  let count = await checkedCount(level, folder, countFile, acknowledged.stored)
  let hasFailed = false

  const reopen = async () => {
    await checkRoom(folder)
    await level.close()
    level = await openLevelFolder(folder)
    count = (await storedCount(level, folder)) ?? 0
    hasFailed = false
  }
  const inOrder = concurrencyLimit(1)
  const write = async (changes: readonly Change[]) => {
    // After a failed write, LevelDB could not read what follows in its log.
    if (hasFailed) await reopen()
    const next = count + 1
    hasFailed = true
    const counted = [...changes, { type: 'put', key: countKey, value: next } as const]
    await level.batch(counted.map(withChecksum))
    hasFailed = false
    count = next
    acknowledged.store(count)
  }
  // So that a number of writes is in both files from the start on.
  if (count === 0) await write([])
  return {
    get: (key) => entryOf(level, folder, key),
    write: (changes) => inOrder(() => write(changes)),
    async *entries(range) {
      for await (const [key, value] of level.iterator(range)) {
        yield [key, verified(folder, key, value)]
      }
    },
    async close() {
      await inOrder(() => level.close())
      acknowledged.close()
    },
  }
}

/** Returns the number of writes in the entries. Throws if it is smaller than the number of acknowledged writes. */
async function checkedCount(
  level: Level,
  folder: string,
  countFile: string,
  acknowledged: number | undefined,
): Promise<number> {
  const count = await storedCount(level, folder)
  if (count !== undefined && acknowledged === undefined) throw damaged(countFile, 'it is missing')
  const missing = (acknowledged ?? 0) - (count ?? 0)
  if (missing > 0) throw damaged(folder, `the latest ${missing} writes are missing`)
  return count ?? 0
}

async function storedCount(level: Level, folder: string): Promise<number | undefined> {
  return (await entryOf(level, folder, countKey)) as number | undefined
}

/** Rejects with Node's error if the disk is full. LevelDB would be closed then, and could not even be read. */
async function checkRoom(folder: string): Promise<void> {
  const file = join(folder, 'room')
  try {
    // Not synchronously: each of thousands of writes may come here, and reads would have to wait for all of them.
    await writeFile(file, Buffer.alloc(roomToOpen))
  } finally {
    await rm(file, { force: true })
  }
}
