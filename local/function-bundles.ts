import { join } from 'node:path'
import { bundleAllFunctions, everyFeature } from '../infra/bundle/bundle.ts'
import { contentDigest, provideFolder } from './folder-cache.ts'

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
