import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { bundleFunctions, codeFilesOf } from '../../../infra/bundle/bundle.ts'
import { temporaryFolder } from '../../local/lambda/lambda-fixture.ts'

const root = join(import.meta.dirname, '../../..')
const bundled = async (source: string) => {
  const [bundle] = await bundleFunctions({
    entryPoints: [join(root, source)],
    outDir: await temporaryFolder(),
  })
  return bundle?.file ?? ''
}

test('the hash function of checksums is loaded at its first call', async () => {
  const file = await bundled('lib/domain/nft/address.ts')
  const require = createRequire(file)
  const { parseAddress } = require(file)
  const hash = join(dirname(file), 'noble-hashes-sha3.js')
  expect(require.cache[hash]).toBeUndefined()

  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  expect(parseAddress(address)).toEqual({ address: address.toLowerCase() })
  expect(require.cache[hash]).toBeDefined()
})

test.each([
  ['lib/domain/nft/chain.ts', []],
  ['lib/domain/nft/address.ts', ['noble-hashes-sha3.js']],
  ['functions/get-raw-metadata/handler.ts', ['alchemy-sdk.js', 'noble-hashes-sha3.js']],
])('the bundle of %s has the late files %j', async (source, late) => {
  const [, ...files] = await codeFilesOf(await bundled(source))
  expect(files.map((file) => basename(file))).toEqual(late)
})
