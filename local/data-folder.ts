import { existsSync, statSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { lockDataFolder } from './aws/level-folder.ts'

/** The entries of a data folder that belong to the local stack. */
const kept = [
  'dynamodb',
  'dynamodb-writes',
  'lock',
  'running.json',
  'sample-product.json',
  'service.log',
  'service.log.1',
]

/** Creates the data folder if it does not exist; only its owner can read it. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  const parent = dirname(resolve(dataDir))
  // The recursive mkdir of Node never returns below a folder that accepts no entries, such as /proc.
  if (!existsSync(parent)) await makeDataFolder(parent)
  try {
    await mkdir(dataDir, { mode: 0o700 })
  } catch (error) {
    if (!statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/**
 * Deletes the entries of the local stack in a data folder, and nothing else. Throws and deletes nothing
 * while a stack runs on the folder.
 */
export async function emptyDataFolder(dataDir: string): Promise<void> {
  const release = await lockDataFolder(dataDir)
  await release()
  for (const name of kept) await rm(join(dataDir, name), { recursive: true, force: true })
}
