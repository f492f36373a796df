import { Level } from 'level'

/**
 * Opens a LevelDB folder, and creates it if it does not exist. Until it is closed, or this process ends,
 * no other process can open it. The error for a folder in use names `claimed`.
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
