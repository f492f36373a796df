import { createHash } from 'node:crypto'
import { cp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { bundleAllFunctions, everyFeature } from '../infra/bundle/bundle.ts'

const root = join(import.meta.dirname, '..')

/**
 * The files and folders from which the bundles are built. package-lock.json stands for the installed
 * packages, because scripts/run.mjs keeps both equal, and package.json says that modules have no side effects.
 */
export const bundleSources = [
  'docs/openapi.json',
  'functions',
  'infra/bundle',
  'lib',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
]

/**
 * Puts the bundles of all functions into `outDir`. Keeps the bundles under .build, and rebuilds them only
 * after a source file or package-lock.json changes. Rejects if {@link bundleAllFunctions} rejects.
 */
export const provideFunctionBundles = (outDir: string): Promise<void> =>
  provideFolder(outDir, {
    cacheDir: join(root, '.build/local-functions'),
    digest: () => contentDigest(root, bundleSources),
    make: (folder) => bundleAllFunctions(folder, everyFeature),
  })

/** How to make the content of a folder, and where to keep it. */
interface CachedFolder {
  /** The folder of the cache. It keeps only the latest content. */
  cacheDir: string
  digest(): Promise<string>
  make(outDir: string): Promise<void>
}

/**
 * Puts content into `outDir`: a copy from the cache if the digest is the same, otherwise new content, which
 * also replaces the content of the cache. Does not fail if the cache cannot be read or written. Rejects if
 * `make` rejects.
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
  // If the sources have changed in the meantime, the content does not belong to the digest.
  if ((await digest()) === before) await store(outDir, cacheDir, before).catch(() => undefined)
}

/** Returns a digest of the names and contents of the given files, and of all files in the given folders. */
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

/** Replaces the content of the cache by a copy, which is renamed to the digest when it is complete. */
async function store(folder: string, cacheDir: string, digest: string): Promise<void> {
  const unfinished = join(cacheDir, `${digest}.${process.pid}`)
  await cp(folder, unfinished, { recursive: true })
  for (const name of await readdir(cacheDir)) {
    const path = join(cacheDir, name)
    if (path !== unfinished) await removeAtOnce(path)
  }
  await rename(unfinished, join(cacheDir, digest))
}

/** Renames a folder before it is deleted: a concurrent copy of it then fails, instead of being incomplete. */
async function removeAtOnce(folder: string): Promise<void> {
  const removed = `${folder}.removed-${process.pid}`
  await rename(folder, removed)
  await rm(removed, { recursive: true, force: true })
}
