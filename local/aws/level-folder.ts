import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Level } from 'level'

/** The error for a file of the data folder whose content is not the content that was written. */
export function damaged(file: string, why: string): Error {
  return new Error(
    `${file} is damaged (${why}): restore the folder from a copy, or empty it with npm start -- --fresh`,
  )
}

/** The error for a folder that another process has open. */
export class FolderInUse extends Error {}

/**
 * Opens a LevelDB folder, and creates it if it does not exist. Until it is closed, or this process ends,
 * no other process can open it. Rejects with an error that names the folder if LevelDB finds damage or misses a file.
 */
export async function openLevelFolder(folder: string): Promise<Level> {
  const level = new Level(folder)
  try {
    await level.open()
    return level
  } catch (error) {
    const { cause } = error as { cause?: { code?: string; message?: string } }
    if (cause?.code === 'LEVEL_LOCKED') {
      throw new FolderInUse(`${folder} is in use by another process`, { cause: error })
    }
    if (cause?.code === 'LEVEL_CORRUPTION') throw damaged(folder, `${cause.message}`)
    throw new Error(`${folder} cannot be opened (${cause?.message ?? error})`, { cause: error })
  }
}

/**
 * Locks a data folder until the returned function is called or this process ends. Rejects if another process
 * has locked it. The lock is an empty LevelDB, which the operating system releases when a process is killed.
 */
export async function lockDataFolder(dataDir: string): Promise<() => Promise<void>> {
  const folder = join(dataDir, 'lock')
  const open = async () => {
    const lock = await openLevelFolder(folder)
    return () => lock.close()
  }
  try {
    return await open()
  } catch (error) {
    if (error instanceof FolderInUse) {
      throw new Error(
        `${dataDir} is in use by another process: stop that npm start, or set DATA_DIR to another folder.`,
        { cause: error },
      )
    }
    // A damaged lock has no data to lose.
    await rm(folder, { recursive: true, force: true })
    return await open()
  }
}
