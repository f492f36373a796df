import { existsSync, statSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
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
  const parent = dirname(resolve(dataDir))
  // Node's own recursion never ends where a folder that is there refuses to hold another (/proc).
  if (!existsSync(parent)) await makeDataFolder(parent)
  try {
    await mkdir(dataDir, { mode: 0o700 })
  } catch (error) {
    if (!statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
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
