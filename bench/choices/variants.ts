import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { recipe } from '../../infra/bundle/bundle.ts'
import { slimAlchemySdk } from '../../infra/bundle/slim-alchemy-sdk.ts'
import { slimAwsSdk } from '../../infra/bundle/slim-aws-sdk.ts'
import type { Subject } from '../subjects/bundles.ts'

const root = join(import.meta.dirname, '../..')

const esmOutput: BuildOptions = {
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  // What is CommonJS in it looks for this.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
  },
}

/** The choices of the recipe, each by what esbuild is told without it. */
export const buildChoices: Readonly<Record<string, BuildOptions>> = {
  'CommonJS output': esmOutput,
  'import() as require()': { supported: {} },
  'ReadableStream and Blob left undefined': { define: {} },
  'mainFields: module, main': { mainFields: ['main', 'module'] },
  minify: { minify: false },
  'slim alchemy-sdk': { plugins: [slimAwsSdk] },
  'slim AWS SDK': { plugins: [slimAlchemySdk] },
  'all of these': {
    ...esmOutput,
    supported: {},
    define: {},
    mainFields: ['main', 'module'],
    minify: false,
    plugins: [],
  },
}

/** A choice in the code: a text of a file, and what stood there without it. */
export interface CodeChoice {
  file: string
  chosen: string
  otherwise: string
}

export const codeChoices = {
  'batches side by side, 40 at once': {
    file: 'lib/adapters/dynamodb/table.ts',
    chosen: 'requestsAtOnce = 40',
    otherwise: 'requestsAtOnce = 1',
  },
  'good API keys are remembered': {
    file: 'lib/adapters/dynamodb/api-keys.ts',
    chosen: 'memoryMilliseconds = 60_000',
    otherwise: 'memoryMilliseconds = 0',
  },
  'eight sources at once': {
    file: 'lib/domain/ordered-pages.ts',
    chosen: 'sourcesAtOnce = 8',
    otherwise: 'sourcesAtOnce = 1',
  },
  'a page is looked through once': {
    file: 'lib/adapters/alchemy/nft-answer.ts',
    chosen: 'ends: new Map()',
    otherwise: 'ends: undefined',
  },
  'connections are kept': {
    file: 'lib/adapters/aws-client.ts',
    chosen: 'httpAgent: { maxSockets: 1000 }',
    otherwise: 'httpAgent: { maxSockets: 1000, keepAlive: false }',
  },
  'no copies for a log': {
    file: 'lib/adapters/aws-client.ts',
    chosen: 'logger: silent,',
    otherwise: '',
  },
} satisfies Record<string, CodeChoice>

/** Undoes a choice while a function is bundled. Throws if the code does not have it any more. */
export const without = ({ file, chosen, otherwise }: CodeChoice): BuildOptions => {
  const plugin: Plugin = {
    name: 'without-a-choice',
    setup({ onLoad }) {
      onLoad({ filter: new RegExp(`/${file.replaceAll('.', '\\.')}$`) }, async ({ path }) => {
        const code = await readFile(path, 'utf8')
        if (!code.includes(chosen)) throw new Error(`${file} has no ${chosen}`)
        return { contents: code.replace(chosen, otherwise), loader: 'ts' }
      })
    },
  }
  return { plugins: [plugin, ...recipe.plugins] }
}

/** Bundles a function by the recipe, with some of its options changed. */
export async function bundleVariant(
  functionName: string,
  outDir: string,
  changes: BuildOptions,
): Promise<Subject> {
  const isModule = changes.format === 'esm'
  const file = join(outDir, functionName, isModule ? 'index.mjs' : 'index.cjs')
  await build({
    ...recipe,
    ...changes,
    entryPoints: [{ in: join(root, 'functions', `${functionName}.ts`), out: 'index' }],
    outdir: join(outDir, functionName),
  })
  return { file, load: isModule ? 'import' : 'require', bytes: (await stat(file)).size }
}
