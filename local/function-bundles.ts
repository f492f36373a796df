import { join } from 'node:path'
import { bundleAllFunctions } from '../infra/bundle/bundle.ts'
import { contentDigest, provideFolder } from './folder-cache.ts'

const root = join(import.meta.dirname, '..')

/** What the bundles depend on. Installed packages are those of package-lock.json (scripts/run.mjs). */
const sources = ['functions', 'infra/bundle', 'lib', 'package-lock.json', 'tsconfig.json']

/**
 * Puts the bundles of all functions into `outDir`. Bundles are kept under .build, and are made again
 * only after a source file or package-lock.json has changed. Rejects as {@link bundleAllFunctions} does.
 */
export const provideFunctionBundles = (outDir: string): Promise<void> =>
  provideFolder(outDir, {
    cacheDir: join(root, '.build/local-functions'),
    digest: () => contentDigest(root, sources),
    make: bundleAllFunctions,
  })
