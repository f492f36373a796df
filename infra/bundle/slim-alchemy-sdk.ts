import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'

/** The folder of its builds; its entry point lies in one of them. */
const builds = join(createRequire(import.meta.url).resolve('alchemy-sdk'), '../..')

/** What the SDK loads for calls that are not made here: ethers, its providers, websockets. */
const unused = /^(@ethersproject\/.*|sturdy-websocket|websocket|\.\/api\/utils|\.\/alchemy-.*)$/

/** The parts of it that an Alchemy object is made with beside `nft`. */
const unusedParts =
  /this\.(core|debug|notify|portfolio|prices|transact|ws) = new \w+\(this\.config\);/g

/**
 * Leaves out of a bundle what alchemy-sdk drags along and its NFT calls never touch: with it, the
 * adapter bundles to 66 KB, without it to 609. Unbundled, the SDK is loaded as it was published.
 */
export const slimAlchemySdk: Plugin = {
  name: 'slim-alchemy-sdk',
  setup({ onLoad, onResolve }) {
    // The one build of it that can be tree-shaken; the package's exports hide it from Node.
    onResolve({ filter: /^alchemy-sdk$/ }, () => ({
      path: join(builds, 'esm/index.js'),
      sideEffects: false,
    }))
    onResolve({ filter: unused }, ({ path, resolveDir }) =>
      resolveDir.startsWith(builds) ? { path, namespace: 'unused', sideEffects: false } : undefined,
    )
    onLoad({ filter: /\/alchemy-sdk\/dist\/esm\/index-[^/]*\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(unusedParts, ''),
    }))
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }))
  },
}
