import { createHash } from 'node:crypto'
import { cp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** How the content of a folder is made, and where it is kept. */
export interface CachedFolder {
  /** Holds the content of one digest: the latest. */
  cacheDir: string
  /** Returns a digest of everything that the content is made from. */
  digest(): Promise<string>
  /** Makes the content in a folder. */
  make(outDir: string): Promise<void>
}

/**
 * Puts content into `outDir`: a copy from the cache if the digest is the same, else new content, which
 * replaces that of the cache. A cache that cannot be read or written only costs time. Rejects as
 * `make` does.
 */
export async function provideFolder(
  outDir: string,
  { cacheDir, digest, make }: CachedFolder,
): Promise<void> {
  const before = await digest()
  try {
    await cp(join(cacheDir, before), outDir, { recursive: true })
    return
  } catch {
    await make(outDir)
  }
  // The content of sources that changed in the meantime does not belong to the digest.
  if ((await digest()) === before) await store(outDir, cacheDir, before).catch(() => undefined)
}

/** Returns a digest of names and contents: of files in `folder`, and of all files below folders in it. */
export async function contentDigest(folder: string, names: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  const files = await Promise.all(names.map((name) => filesAt(join(folder, name))))
  for (const file of files.flat()) {
    const content = await readFile(file)
    hash.update(`${relative(folder, file)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

async function filesAt(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    return files.map(({ parentPath, name }) => join(parentPath, name)).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return [path]
    throw error
  }
}

/** Makes a copy the only content of the cache. It gets its name last, when it is complete. */
async function store(folder: string, cacheDir: string, digest: string): Promise<void> {
  const unfinished = join(cacheDir, `${digest}.${process.pid}`)
  await cp(folder, unfinished, { recursive: true })
  for (const name of await readdir(cacheDir)) {
    const path = join(cacheDir, name)
    if (path !== unfinished) await rm(path, { recursive: true, force: true })
  }
  await rename(unfinished, join(cacheDir, digest))
}
