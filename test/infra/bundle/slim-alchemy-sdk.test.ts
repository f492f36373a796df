import { resolve } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { classFile, slimAlchemySdk } from '../../../infra/bundle/slim-alchemy-sdk.ts'

test.each([
  '/project/node_modules/alchemy-sdk/dist/esm/index-e2b4.js',
  'C:\\work\\node_modules\\alchemy-sdk\\dist\\esm\\index-e2b4.js',
])('the class is found at %s', (path) => {
  expect(path).toMatch(classFile)
})

// The tests of the API show that the functions with the bundled adapter answer as they should.
test('the bundled adapter takes less than 100 KB, and contains only the modules of the SDK that it runs', async () => {
  const { metafile } = await build({
    entryPoints: [resolve('lib/adapters/alchemy/alchemy-indexer.ts')],
    outfile: 'index.cjs',
    write: false,
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
  expect(metafile.outputs['index.cjs']?.bytes).toBeLessThan(100_000)
  const packages = Object.keys(metafile.inputs)
    .filter((name) => !name.startsWith('unused:'))
    .flatMap((name) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? [])
  expect(new Set(packages)).toEqual(new Set(['@noble/hashes', 'alchemy-sdk', 'valibot']))
})
