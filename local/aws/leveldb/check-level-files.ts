import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { damaged } from '../damaged.ts'
import { readLogFile } from './log-file.ts'
import { type LiveFiles, liveFiles } from './manifest.ts'
import { checkTableFile } from './table-file.ts'

/**
 * Checks the files of a LevelDB that no process has open: LevelDB itself skips damaged records and does not
 * verify checksums when it reads. Every file of the database must exist, and every checksum in it must be
 * right. Throws an error that names the file. A write-ahead log that ends too early looks like the log
 * of a killed process and is accepted.
 */
export function checkLevelFiles(folder: string): void {
  const names = readdirSync(folder)
  const current = join(folder, 'CURRENT')
  if (!names.includes('CURRENT')) {
    if (names.some((name) => /^(MANIFEST-\d+|\d+\.(log|ldb|sst))$/.test(name))) {
      throw damaged(current, 'it is missing')
    }
    return
  }
  const [, manifest] = /^(MANIFEST-\d+)\n$/.exec(readFileSync(current, 'latin1')) ?? []
  if (manifest === undefined) throw damaged(current, 'unexpected content')
  const live = inFile(join(folder, manifest), (file) => liveFiles(readLogFile(file)))
  checkTables(folder, names, live)
  checkLogs(folder, names, live)
}

function checkTables(folder: string, names: readonly string[], { tables }: LiveFiles): void {
  for (const [number, size] of tables) {
    const name = fileName(number, 'ldb')
    const older = fileName(number, 'sst')
    inFile(join(folder, names.includes(older) ? older : name), (file) => {
      if (file.length !== size) throw new Error(`${file.length} instead of ${size} bytes`)
      checkTableFile(file)
    })
  }
}

function checkLogs(folder: string, names: readonly string[], { oldestLog }: LiveFiles): void {
  const newer = names.filter(
    (name) => /^\d+\.log$/.test(name) && Number.parseInt(name, 10) > oldestLog,
  )
  for (const name of [fileName(oldestLog, 'log'), ...newer]) inFile(join(folder, name), readLogFile)
}

const fileName = (number: number, extension: string) =>
  `${String(number).padStart(6, '0')}.${extension}`

/** Returns the result of `check` for the content of a file. An error names the file. */
function inFile<T>(path: string, check: (file: Buffer) => T): T {
  try {
    return check(readFileSync(path))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw damaged(path, 'it is missing')
    if (code !== undefined && !code.startsWith('ERR_')) {
      throw new Error(`${path} cannot be read (${code})`, { cause: error })
    }
    throw damaged(path, message)
  }
}
