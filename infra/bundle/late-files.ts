import { basename, dirname } from 'node:path'
import type { Metafile, Plugin } from 'esbuild'

/**
 * The export of each module that is loaded late: a function or a class. Its late file contains everything that the module
 * imports, so index.js must import none of that: the two files would have separate copies.
 */
const exportOf: Readonly<Record<string, string>> = {
  // Its module computes tables, and most requests have no address with a checksum.
  '@noble/hashes/sha3.js': 'keccak_256',
  // A read of what is kept does not ask the indexer.
  'alchemy-sdk': 'Alchemy',
}

/** The name of the late file of a module, without its extension. */
const nameOf = (module: string): string => module.replace(/^@|\.js$/g, '').replaceAll('/', '-')

/**
 * Moves a module out of the bundle, to a file that is loaded at the first use of its export: modules that take
 * milliseconds to parse and to evaluate, and that many requests do not use. {@link lateEntryPoints} names the files.
 */
export const lateFiles: Plugin = {
  name: 'late-files',
  setup({ onLoad, onResolve }) {
    const resolveDir = import.meta.dirname
    const filter = new RegExp(`^(${Object.keys(exportOf).join('|')})$`)
    onResolve({ filter, namespace: 'file' }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'lazy' } : undefined,
    )
    onLoad({ filter, namespace: 'lazy' }, ({ path }) => {
      const name = exportOf[path]
      const contents = `export function ${name}(...values) {
        const { ${name}: loaded } = require('late:${path}')
        return new.target ? new loaded(...values) : loaded(...values)
      }`
      return { contents, resolveDir }
    })
    onResolve({ filter: /^late:/ }, ({ path, kind }) => {
      const module = path.slice('late:'.length)
      if (kind === 'entry-point') return { path: module, namespace: 'late' }
      return { path: `./${nameOf(module)}.js`, external: true }
    })
    // As an entry point itself, the package would keep all of its exports.
    onLoad({ filter, namespace: 'late' }, ({ path }) => ({
      contents: `export { ${exportOf[path]} } from '${path}'`,
      resolveDir,
    }))
  },
}

/** The entry points of the late files that bundles load, each in the folder of its bundle. */
export const lateEntryPoints = ({ outputs }: Metafile): { in: string; out: string }[] =>
  Object.entries(outputs).flatMap(([bundle, { imports }]) =>
    Object.keys(exportOf)
      .filter((module) => imports.some(({ path }) => path === `./${nameOf(module)}.js`))
      .map((module) => ({
        in: `late:${module}`,
        out: `${basename(dirname(bundle))}/${nameOf(module)}`,
      })),
  )
