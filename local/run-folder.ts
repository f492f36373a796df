import { rmSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLevelFolder } from './aws/level-folder.ts'

const prefix = 'player-nfts-run-'

/** A folder without a lock that is younger than this belongs to a run that creates its lock just now. */
const youngMilliseconds = 60_000

/** The temporary folder of one run. */
interface RunFolder {
  /** An empty folder for the content. The lock of the run lies beside it, where no copied content replaces it. */
  path: string
  remove(): Promise<void>
}

/**
 * Creates a temporary folder. It is deleted when this process ends in any way but `kill -9`; the next run
 * deletes the folders of killed runs. Rejects with a message that names the variable of the folder (TMPDIR, on
 * Windows TEMP) if it cannot be created.
 */
export async function createRunFolder(): Promise<RunFolder> {
  await removeAbandoned()
  const folder = await mkdtemp(join(tmpdir(), prefix)).catch((error: NodeJS.ErrnoException) => {
    const variable = process.platform === 'win32' ? 'TEMP' : 'TMPDIR'
    throw new Error(
      `${tmpdir()} cannot be used (${error.code}): set ${variable} to a folder that can be written.`,
    )
  })
  const removeNow = () => {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // Windows keeps open files. The next run deletes the folder.
    }
  }
  process.once('exit', removeNow)
  // The operating system releases the lock of a killed process.
  const lock = await openLevelFolder(lockOf(folder))
  const path = join(folder, 'content')
  await mkdir(path)
  return {
    path,
    async remove() {
      await lock.close()
      await rm(folder, { recursive: true, force: true })
      process.off('exit', removeNow)
    },
  }
}

const lockOf = (folder: string) => join(folder, 'lock')

async function removeAbandoned(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => [])
  for (const name of names.filter((name) => name.startsWith(prefix))) {
    const folder = join(tmpdir(), name)
    if (await isAbandoned(folder))
      await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (!found) return false
  if (!statSync(lockOf(folder), { throwIfNoEntry: false })) {
    return Date.now() - found.mtimeMs > youngMilliseconds
  }
  try {
    await (await openLevelFolder(lockOf(folder))).close()
    return true
  } catch {
    return false
  }
}
