import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openLevelFolder } from './aws/level-folder.ts'

/** All that the local stack keeps in its data folder; whatever else lies there is not its own. */
const kept = [
  'dynamodb',
  'kms.json',
  'lock',
  'running.json',
  'sample-product.json',
  'secrets-manager.json',
  'sqs',
]

/** Makes the data folder if there is none; only its owner may look into it. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
}

/**
 * Deletes what the local stack keeps in a data folder, and nothing else there. Throws, and deletes
 * nothing, while a stack runs on it.
 */
export async function emptyDataFolder(dataDir: string): Promise<void> {
  const lock = await openLevelFolder(join(dataDir, 'lock'), dataDir)
  await lock.close()
  for (const name of kept) await rm(join(dataDir, name), { recursive: true, force: true })
}
