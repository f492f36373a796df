import { Level } from 'level'

/**
 * Opens a LevelDB folder, making it if it is missing. As long as it is open, no other process can
 * open it; the operating system ends that with the process, however it dies. `claimed` is what the
 * error calls taken if somebody else has it.
 */
export async function openLevelFolder(folder: string, claimed = folder): Promise<Level> {
  const level = new Level(folder)
  try {
    await level.open()
    return level
  } catch (error) {
    const { cause } = error as { cause?: { code?: string; message?: string } }
    if (cause?.code === 'LEVEL_LOCKED') {
      throw new Error(`${claimed} is in use by another process`, { cause: error })
    }
    throw new Error(`${folder} cannot be opened (${cause?.message ?? error})`, { cause: error })
  }
}
