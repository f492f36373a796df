import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { functionName, operationIds } from '../../lib/contract/routes.ts'
import { slimAlchemySdk } from './slim-alchemy-sdk.ts'
import { slimAwsSdk } from './slim-aws-sdk.ts'

/** One function, ready for Lambda. */
export interface FunctionBundle {
  /** The entry point's file name without its ending. */
  name: string
  /** The CommonJS file, alone in its folder with its source map; its `handler` is what Lambda calls. */
  file: string
  /** The size of that file. */
  bytes: number
}

/** The background worker, beside the functions of the route table. */
export const workerName = 'work-queue'

/** All functions: the file names under functions/, without their endings. */
export const functionNames: readonly string[] = [...operationIds.map(functionName), workerName]

/** Where {@link bundleFunctions} puts the code of a function. */
export const bundleFile = (outDir: string, name: string): string => join(outDir, name, 'index.cjs')

/** The options of the build. docs/performance.md says what each of them saves. */
export const recipe = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  // An ESM import of node:http evaluates a getter that loads undici, 20 ms of every cold start.
  format: 'cjs',
  // So would an import() of it, which the AWS SDK makes at its first call over http.
  supported: { 'dynamic-import': false },
  // The AWS SDK asks whether an answer is one of these; Node loads them as soon as they are named.
  define: { ReadableStream: 'undefined', Blob: 'undefined' },
  outExtension: { '.js': '.cjs' },
  // esbuild's own order for Node takes the CommonJS builds, which cannot be tree-shaken.
  mainFields: ['module', 'main'],
  plugins: [slimAlchemySdk, slimAwsSdk],
  minify: true,
  legalComments: 'none',
  // Shipped beside the code but not named in it: Node does not read them while it runs.
  sourcemap: 'external',
  logLevel: 'silent',
  logOverride: { 'empty-import-meta': 'error' },
} satisfies BuildOptions

/**
 * Bundles each entry point into `<outDir>/<name>/index.cjs`, the one way the functions are built: for
 * the local stack, the deployment and the measurements alike. Nothing is left to the runtime, the AWS
 * SDK included. Rejects, saying where, for code that does not compile or that needs `import.meta`.
 */
export async function bundleFunctions(options: {
  entryPoints: readonly string[]
  outDir: string
}): Promise<FunctionBundle[]> {
  const outDir = resolve(options.outDir)
  const functions = options.entryPoints.map((entryPoint) => {
    const name = basename(entryPoint).replace(/\.[cm]?[jt]s$/, '')
    return { name, entryPoint: resolve(entryPoint), file: bundleFile(outDir, name) }
  })
  await build({
    entryPoints: functions.map(({ name, entryPoint }) => ({
      in: entryPoint,
      out: `${name}/index`,
    })),
    outdir: outDir,
    ...recipe,
  })
  return Promise.all(
    functions.map(async ({ name, file }) => ({ name, file, bytes: (await stat(file)).size })),
  )
}

/** Bundles all functions as for a deployment, each into a folder of its own name under `outDir`. */
export async function bundleAllFunctions(outDir: string): Promise<void> {
  const functionsDir = join(import.meta.dirname, '../../functions')
  const entryPoints = functionNames.map((name) => join(functionsDir, `${name}.ts`))
  await bundleFunctions({ entryPoints, outDir })
}
