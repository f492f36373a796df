import type { Plugin } from 'esbuild'

/** The export of each module that is evaluated late: a function or a class. */
const exportOf: Readonly<Record<string, string>> = {
  // Its module computes tables, and most requests have no address with a checksum.
  '@noble/hashes/sha3.js': 'keccak_256',
  // A read that is remembered does not ask the indexer.
  'alchemy-sdk': 'Alchemy',
}

/**
 * Evaluates a module at the first use of its export instead of in each cold start: modules that take milliseconds, and
 * that many requests do not use.
 */
export const lazyExports: Plugin = {
  name: 'lazy-exports',
  setup({ onLoad, onResolve }) {
    const resolveDir = import.meta.dirname
    const filter = new RegExp(`^(${Object.keys(exportOf).join('|')})$`)
    onResolve({ filter, namespace: 'file' }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'lazy' } : undefined,
    )
    onLoad({ filter, namespace: 'lazy' }, ({ path }) => {
      const name = exportOf[path]
      const contents = `export function ${name}(...values) {
        const { ${name}: evaluated } = require('evaluated:${path}')
        return new.target ? new evaluated(...values) : evaluated(...values)
      }`
      return { contents, resolveDir }
    })
    onResolve({ filter: /^evaluated:/ }, ({ path }) => ({
      path: path.slice('evaluated:'.length),
      namespace: 'evaluated',
    }))
    // Without this module between them, require() would keep every export of the package in the bundle.
    onLoad({ filter, namespace: 'evaluated' }, ({ path }) => ({
      contents: `export { ${exportOf[path]} } from '${path}'`,
      resolveDir,
    }))
  },
}
