import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { type Plugin, transform } from 'esbuild'

/** In a class, esbuild's lowering of arrow functions can refer to `this` before it exists. */
const withClasses = /\b(class|super|new\.target)\b/

/** Writes arrow functions as function expressions, which V8 parses completely only when they are first called. */
export const lowerArrowFunctions: Plugin = {
  name: 'lower-arrow-functions',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?[jt]s$/, namespace: 'file' }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      if (!text.includes('=>') || withClasses.test(text)) return undefined
      return { contents: await lowered(text, path), loader: 'js' }
    })
  },
}

async function lowered(text: string, path: string): Promise<string> {
  const { code } = await transform(text, {
    loader: extname(path).endsWith('ts') ? 'ts' : 'js',
    sourcefile: path,
    target: 'node24',
    supported: { arrow: false },
    sourcemap: 'inline',
    // As in tsconfig.json: without it, an import whose names are unused would be left out.
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  })
  return code
}
