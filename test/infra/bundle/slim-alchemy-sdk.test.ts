import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { ownedBy } from '@player-nfts/local/indexer/holdings'
import { startIndexerServer } from '@player-nfts/local/indexer/indexer-server'
import { createWorld } from '@player-nfts/local/indexer/world'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { classFile, slimAlchemySdk } from '../../../infra/bundle/slim-alchemy-sdk.ts'
import type { alchemyIndexer } from '../../../lib/adapters/alchemy/alchemy-indexer.ts'
import { contract, inTime, owner } from '../../adapters/alchemy/alchemy-stub.ts'
import { newFolder } from '../../support/command-fixture.ts'

const adapter = resolve(import.meta.dirname, '../../../lib/adapters/alchemy/alchemy-indexer.ts')

test.each([
  '/project/node_modules/alchemy-sdk/dist/esm/index-e2b4.js',
  'C:\\work\\node_modules\\alchemy-sdk\\dist\\esm\\index-e2b4.js',
])('the class is found at %s', (path) => {
  expect(path).toMatch(classFile)
})

describe('bundled with slimAlchemySdk', () => {
  const file = join(newFolder(afterAll), 'index.cjs')
  let modules: string[]
  let bytes: number

  beforeAll(async () => {
    const { metafile } = await build({
      entryPoints: [adapter],
      outfile: file,
      bundle: true,
      platform: 'node',
      target: 'node24',
      format: 'cjs',
      mainFields: ['module', 'main'],
      minify: true,
      metafile: true,
      logLevel: 'silent',
      plugins: [slimAlchemySdk],
    })
    modules = Object.keys(metafile.inputs).filter((name) => !name.startsWith('unused:'))
    bytes = Object.values(metafile.outputs)[0]?.bytes ?? 0
  })

  test('the adapter takes less than 100 KB, and contains only the modules of the SDK that it runs', () => {
    expect(bytes).toBeLessThan(100_000)
    const packages = modules.flatMap(
      (name) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? [],
    )
    expect(new Set(packages)).toEqual(new Set(['@noble/hashes', 'alchemy-sdk', 'valibot']))
  })

  test('it returns the same as without bundling', async () => {
    const world = createWorld()
    const place = { network: 'polygon-mainnet', address: contract } as const
    ownedBy(world, place, owner, ['7'], { metadata: () => '{"level":5.0}' })
    const server = await startIndexerServer({ world })
    try {
      const bundled: { alchemyIndexer: typeof alchemyIndexer } = createRequire(import.meta.url)(
        file,
      )
      const indexer = bundled.alchemyIndexer(async () => 'key', { baseUrl: server.url })
      const query = { chain: 'POLYGON', owner, contracts: [contract], deadline: inTime() } as const
      const { nfts } = await indexer.ownedNfts(query)
      expect(nfts).toMatchObject([{ tokenId: '7', metadata: { text: '{"level":5.0}' } }])
    } finally {
      await server.close()
    }
  })
})
