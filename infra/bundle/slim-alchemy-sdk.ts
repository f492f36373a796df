import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'

/** The folder that contains the builds of alchemy-sdk. */
const builds = join(createRequire(import.meta.url).resolve('alchemy-sdk'), '../..')

/** The modules of calls that this project does not make: ethers, its providers and websockets. */
const unused = /^(@ethersproject\/.*|sturdy-websocket|websocket|\.\/api\/utils|\.\/alchemy-.*)$/

/** The statements of the Alchemy class that create its other namespaces than `nft`. */
const unusedParts =
  /this\.(core|debug|notify|portfolio|prices|transact|ws) = new \w+\(this\.config\);/g

/** The path of the file with the Alchemy class, with the separators of POSIX or of Windows. */
export const classFile = /[\\/]alchemy-sdk[\\/]dist[\\/]esm[\\/]index-[^\\/]*\.js$/

/**
 * Removes the parts of alchemy-sdk that its NFT methods do not use. The bundle of the adapter is 66 KB with
 * this plugin and 609 KB without it. Code that runs unbundled loads the SDK as it was published.
 */
export const slimAlchemySdk: Plugin = {
  name: 'slim-alchemy-sdk',
  setup({ onLoad, onResolve }) {
    // Only this build can be tree-shaken. The exports of the package do not name it for Node.
    onResolve({ filter: /^alchemy-sdk$/ }, () => ({
      path: join(builds, 'esm/index.js'),
      sideEffects: false,
    }))
    onResolve({ filter: unused }, ({ path, resolveDir }) =>
      resolveDir.startsWith(builds) ? { path, namespace: 'unused', sideEffects: false } : undefined,
    )
    onLoad({ filter: classFile }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(unusedParts, ''),
    }))
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }))
  },
}
