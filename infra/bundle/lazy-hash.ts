import type { Plugin } from 'esbuild'

/** The module of the hash function of address checksums. */
const hashModule = '@noble/hashes/sha3.js'

/**
 * Evaluates the hash function of address checksums at its first call. Its module computes tables when it is
 * evaluated, and most requests have no address with a checksum.
 */
export const lazyHash: Plugin = {
  name: 'lazy-hash',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^@noble\/hashes\/sha3\.js$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: hashModule, namespace: 'lazy' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'lazy' }, () => ({
      contents: `export const keccak_256 = (bytes) => require('${hashModule}').keccak_256(bytes)`,
      resolveDir: import.meta.dirname,
    }))
  },
}
