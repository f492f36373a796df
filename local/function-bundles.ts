import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { bundleAllFunctions, everyFeature } from '../infra/bundle/bundle.ts'
import { isRunning } from './running-stack.ts'

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

/**
 * Puts content into `outDir`: a copy from the cache if the digest is the same, otherwise what `make` puts there, which
 * also replaces the content of the cache: it keeps only the latest. Does not fail if the cache cannot be read or written. Rejects if
 * `make` rejects.
 */
export async function provideFolder(
  outDir: string,
  {
    cacheDir,
    digest,
    make,
  }: { cacheDir: string; digest(): Promise<string>; make(outDir: string): Promise<void> },
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

const prefix = 'player-nfts-run-'

/**
 * Creates a temporary folder. It is deleted when this process ends in any way but `kill -9`; the next run
 * deletes the folders of killed runs. Rejects with a message that names the variable of the folder (TMPDIR, on
 * Windows TEMP) if it cannot be created.
 */
export async function createRunFolder() {
  await removeAbandoned()
  const named = join(tmpdir(), `${prefix}${process.pid}-`)
  const path = await mkdtemp(named).catch((error: NodeJS.ErrnoException) => {
    const variable = process.platform === 'win32' ? 'TEMP' : 'TMPDIR'
    throw new Error(
      `${tmpdir()} cannot be used (${error.code}): set ${variable} to a folder that can be written.`,
    )
  })
  const removeNow = () => {
    try {
      rmSync(path, { recursive: true, force: true })
    } catch {
      // Windows keeps open files. The next run deletes the folder.
    }
  }
  process.once('exit', removeNow)
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true })
      process.off('exit', removeNow)
    },
  }
}

/** Deletes the folders whose names have the number of a process that does not run. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const [pid = ''] = name.startsWith(prefix) ? name.slice(prefix.length).split('-') : []
    if (!/^\d+$/.test(pid) || isRunning(Number(pid))) continue
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined)
  }
}
