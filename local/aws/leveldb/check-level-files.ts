import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { damaged } from '../level-folder.ts'
import { checkLogFile } from './log-file.ts'
import { checkTableFile } from './table-file.ts'

/**
 * Checks the checksums in the files of a LevelDB that no process has open: LevelDB itself skips damaged records of its
 * logs, and does not verify its tables. Throws an error that names the file. A log may end too early or be missing.
 */
export function checkLevelFiles(folder: string): void {
  const names = readdirSync(folder)
  const isManifest = (file: Buffer) => {
    if (!names.includes(`${file}`.slice(0, -1))) throw new Error('unexpected content')
  }
  for (const name of names) {
    if (name === 'CURRENT') check(isManifest, join(folder, name))
    else if (/^(MANIFEST-\d+|\d+\.log)$/.test(name)) check(checkLogFile, join(folder, name))
    else if (/^\d+\.(ldb|sst)$/.test(name)) check(checkTableFile, join(folder, name))
  }
}

function check(content: (file: Buffer) => void, path: string): void {
  try {
    content(readFileSync(path))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) throw damaged(path, message)
    throw new Error(`${path} cannot be read (${code})`, { cause: error })
  }
}
