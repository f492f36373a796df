import { existsSync } from 'node:fs'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { isIn, routes } from '../../functions/operations.ts'
import { delivererName, followerName } from '../../lib/contract/background-names.ts'
import { type Feature, functionName, type Route } from '../../lib/contract/route.ts'
import { lateEntryPoints, lateFiles } from './late-files.ts'
import { lowerArrowFunctions } from './lower-arrow-functions.ts'
import { slimAlchemySdk } from './slim-alchemy-sdk.ts'

/** The bundle of one function, ready for Lambda. */
export interface FunctionBundle {
  /** The file name of the entry point, without its extension, or of a handler.ts the name of its folder. */
  name: string
  /** The CommonJS file that exports `handler`. Its folder also holds its late files, source maps and a package.json. */
  file: string
  /** The size of all code files. */
  bytes: number
}

/** The name of the background worker, which is no operation of the API. */
export const workerName = 'work-queue'

/** What a deployment has beside what every deployment has: the settings of its features. */
type FeatureSettings = { readonly [Needed in Feature]?: unknown }

/** A deployment with everything, such as the local one. */
export const everyFeature = {
  walletSignIn: true,
  webhooks: true,
} as const satisfies FeatureSettings

/** The names of the functions of a deployment: their folders under functions/. */
export const functionNames = (settings: FeatureSettings): readonly string[] => [
  ...Object.values<Route>(routes)
    .filter((route) => isIn(route, settings))
    .map(({ id }) => functionName(id)),
  workerName,
  followerName,
  ...(settings.webhooks ? [delivererName] : []),
]

/** The file to which {@link bundleFunctions} writes the code of a function. */
export const bundleFile = (outDir: string, name: string): string => join(outDir, name, 'index.js')

/** The files with the code of a bundle: `index.js`, and the files that it loads late. */
export async function codeFilesOf(bundle: string): Promise<string[]> {
  const names = await readdir(dirname(bundle))
  const late = names.filter((name) => name.endsWith('.js') && name !== basename(bundle))
  return [bundle, ...late.sort().map((name) => join(dirname(bundle), name))]
}

/** The size of all code files of a bundle, in bytes. */
export async function bundleBytes(bundle: string): Promise<number> {
  const files = await Promise.all((await codeFilesOf(bundle)).map((file) => stat(file)))
  return files.reduce((sum, { size }) => sum + size, 0)
}

/** The options with which esbuild bundles a function. docs/performance.md says what each option saves. */
const recipe = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  // An ESM import of node:http evaluates a getter that loads undici, which adds 20 ms to each cold start.
  format: 'cjs',
  // By default, esbuild selects CommonJS builds for Node, which it cannot tree-shake.
  mainFields: ['module', 'main'],
  plugins: [lateFiles, slimAlchemySdk, lowerArrowFunctions],
  minify: true,
  legalComments: 'none',
  // The code does not reference its source map, so that Node does not load the map at run time.
  sourcemap: 'external',
  logLevel: 'silent',
  logOverride: { 'empty-import-meta': 'error' },
} satisfies BuildOptions

/** The options for a function of the deployment, which calls other operations of AWS and whose cold starts nobody waits for. */
const wholeSdk = { plugins: [] } satisfies BuildOptions

/**
 * Bundles each entry point into `<outDir>/<name>/index.js`, beside the files that it loads late. The local stack,
 * the deployment and the benchmark all build the functions this way. Bundles include what they import and use nothing of the Lambda
 * runtime's. Rejects, with the position in the source, if code does not compile or uses `import.meta`.
 */
export async function bundleFunctions(options: {
  entryPoints: readonly string[]
  outDir: string
  /** For code that uses the AWS SDK, which the functions of the API do not: it is bundled as it is. */
  needsWholeSdk?: boolean
}): Promise<FunctionBundle[]> {
  const outDir = resolve(options.outDir)
  const functions = options.entryPoints.map((entryPoint) => {
    const name = nameOf(entryPoint)
    return { name, entryPoint: resolve(entryPoint), file: bundleFile(outDir, name) }
  })
  const metafile = await buildSource({
    entryPoints: functions.map(({ name, entryPoint }) => ({
      in: entryPoint,
      out: `${name}/index`,
    })),
    outdir: outDir,
    ...recipe,
    ...(options.needsWholeSdk && wholeSdk),
  })
  await buildSource({ entryPoints: lateEntryPoints(metafile), outdir: outDir, ...recipe })
  return Promise.all(
    functions.map(async ({ name, file }) => {
      await writePackageJson(dirname(file))
      return { name, file, bytes: await bundleBytes(file) }
    }),
  )
}

/** The name of a function: that of its file, or of the folder of its handler.ts. */
function nameOf(entryPoint: string): string {
  const name = basename(entryPoint).replace(/\.[cm]?[jt]s$/, '')
  return name === 'handler' ? basename(dirname(resolve(entryPoint))) : name
}

/** Runs esbuild. If the build fails, its errors have the positions of the source. */
async function buildSource(options: BuildOptions): Promise<Metafile> {
  try {
    const { metafile } = await build({ ...options, metafile: true })
    return metafile
  } catch (error) {
    // In a module whose arrow functions are lowered, esbuild names positions of the lowered text.
    const plugins = options.plugins?.filter((plugin) => plugin !== lowerArrowFunctions) ?? []
    await build({ ...options, plugins, write: false })
    throw error
  }
}

/** Declares the files of a folder to be CommonJS. Some emulators of Lambda find no other name than `index.js`. */
async function writePackageJson(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}')
}

/**
 * Bundles all functions of a deployment, each into its folder. Rejects with the file if an operation has no handler.
 */
export async function bundleAllFunctions(outDir: string, settings: FeatureSettings): Promise<void> {
  const folder = join(import.meta.dirname, '../../functions')
  const handlerOf = (name: string) => join(folder, name, 'handler.ts')
  const names = functionNames(settings)
  const missing = names.filter((name) => !existsSync(handlerOf(name)))
  if (missing.length > 0) {
    throw new Error(`Add a handler.ts in functions/${missing.join(', functions/')}.`)
  }
  await bundleFunctions({ entryPoints: names.map(handlerOf), outDir })
}
