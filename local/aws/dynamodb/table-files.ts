import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Level } from 'level'
import { damaged } from '../damaged.ts'
import { openLevelFolder } from '../level-folder.ts'
import { checkLevelFiles } from '../leveldb/check-level-files.ts'
import { groupedWrites } from './grouped-writes.ts'
import { openWriteCount, type WriteCount } from './write-count.ts'

/** A change of one entry. */
export type Change = { type: 'put'; key: string; value: string } | { type: 'del'; key: string }

/** The entries to read, in LevelDB's terms. A limit of -1 is no limit. */
export interface Range {
  gt?: string
  gte?: string
  lt?: string
  lte?: string
  reverse?: boolean
  limit?: number
}

/** The entries of all tables, kept in a folder. */
export interface TableFiles {
  get(key: string): Promise<string | undefined>
  /**
   * Resolves when all changes are in a file. Rejects if they cannot be written, for example because the
   * disk is full; later writes succeed when the reason is gone.
   */
  write(changes: readonly Change[]): Promise<void>
  /** The end of the iteration, also an early end, closes the iterator of LevelDB. */
  entries(range: Range): AsyncGenerator<[key: string, value: string]>
  close(): Promise<void>
}

/** The entry with the number of writes. The keys of tables begin with other characters. */
const countKey = '\u0000writes'

/** Space for what LevelDB writes when it opens a folder, in bytes: its buffer of 4 MiB, and a MANIFEST. */
const roomToOpen = 5 * 1024 * 1024

/**
 * Opens the tables in `folder`. `countFile` keeps the number of acknowledged writes. Rejects with an error
 * that names the file if another process uses the folder, or if a file is damaged, missing or unreadable.
 */
export async function openTableFiles(folder: string, countFile: string): Promise<TableFiles> {
  const acknowledged = openWriteCount(countFile)
  if (existsSync(folder)) checkLevelFiles(folder)
  if (acknowledged.stored !== undefined && !existsSync(join(folder, 'CURRENT'))) {
    throw damaged(join(folder, 'CURRENT'), 'it is missing')
  }
  const opened = await openLevelFolder(folder)
  try {
    return await tableFiles(opened, folder, countFile, acknowledged)
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function tableFiles(
  opened: Level,
  folder: string,
  countFile: string,
  acknowledged: WriteCount,
): Promise<TableFiles> {
  let level = opened
  let count = await checkedCount(level, folder, countFile, acknowledged.stored)
  let hasFailed = false

  const reopen = async () => {
    await checkRoom(folder)
    await level.close()
    level = await openLevelFolder(folder)
    count = (await storedCount(level)) ?? 0
    hasFailed = false
  }
  const writes = groupedWrites<Change>(async (changes) => {
    // After a failed write, LevelDB could not read what follows in its log.
    if (hasFailed) await reopen()
    const next = count + 1
    hasFailed = true
    await level.batch([...changes, { type: 'put', key: countKey, value: String(next) }])
    hasFailed = false
    count = next
    acknowledged.store(count)
  })
  // From here on, a folder of an earlier release has a number of writes too.
  if (count === 0) await writes.add([])
  return {
    get: (key) => level.get(key),
    write: (changes) => writes.add(changes),
    async *entries(range) {
      for await (const [key, value] of level.iterator(range)) {
        if (key !== countKey) yield [key, value]
      }
    },
    async close() {
      await writes.ended()
      await level.close()
      acknowledged.close()
    },
  }
}

/** Returns the number of writes in the tables. Throws if it is smaller than the number of acknowledged writes. */
async function checkedCount(
  level: Level,
  folder: string,
  countFile: string,
  acknowledged: number | undefined,
): Promise<number> {
  const count = await storedCount(level)
  if (count !== undefined && acknowledged === undefined) throw damaged(countFile, 'it is missing')
  const missing = (acknowledged ?? 0) - (count ?? 0)
  if (missing > 0) throw damaged(folder, `the latest ${missing} writes are missing`)
  return count ?? 0
}

async function storedCount(level: Level): Promise<number | undefined> {
  const count = await level.get(countKey)
  return count === undefined ? undefined : Number(count)
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
