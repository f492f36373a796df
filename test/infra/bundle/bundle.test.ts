import { existsSync, globSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire, SourceMap } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { resourceNames } from '@player-nfts/local/aws/provision'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { bundleFunctions, codeFilesOf } from '../../../infra/bundle/bundle.ts'
import { classFile, slimAlchemySdk } from '../../../infra/bundle/slim-alchemy-sdk.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { isDescribeStacks, stackIn, version } from '../../support/check-requests.ts'
import { newFolder } from '../../support/command-fixture.ts'
import { serviceApp } from '../../support/service-template.ts'
import { serve } from '../../support/services/http-server.ts'

const root = join(import.meta.dirname, '../../..')
const require = createRequire(import.meta.url)

/** Bundles modules, given as their texts by their names, into a folder that has a file already. */
async function bundlesOf(modules: Record<string, string>, names = ['index.ts']) {
  const folder = newFolder()
  for (const [name, text] of Object.entries(modules)) await writeFile(join(folder, name), text)
  const outDir = join(folder, 'out')
  await mkdir(outDir)
  await writeFile(join(outDir, 'package.json'), '{"type":"module"}')
  return await bundleFunctions({ entryPoints: names.map((name) => join(folder, name)), outDir })
}

/** The bundle of a file of the project. */
async function bundled(source: string, needsWholeSdk = false): Promise<string> {
  const entryPoints = [join(root, source)]
  const [bundle] = await bundleFunctions({ entryPoints, outDir: newFolder(), needsWholeSdk })
  return bundle?.file ?? ''
}

describe('bundling', () => {
  test('writes one self-contained CommonJS file for each function, whatever the files of the folder', async () => {
    const handler = (name: string) => `import { greeting } from './shared.ts'
      import { hostname } from 'node:os'
      export const handler = async () => [greeting, '${name}', typeof hostname()]`
    const modules = {
      'shared.ts': `export const greeting: string = 'Hello'`,
      ...{ 'hello.ts': handler('hello'), 'bye.ts': handler('bye') },
    }
    const bundles = await bundlesOf(modules, ['hello.ts', 'bye.ts'])
    for (const [index, { name, file, bytes }] of bundles.entries()) {
      expect(name).toBe(['hello', 'bye'][index])
      expect(file.endsWith(join('out', name, 'index.js'))).toBe(true)
      const code = await readFile(file, 'utf8')
      expect(bytes).toBe(Buffer.byteLength(code))
      expect(code).not.toContain('sourceMappingURL')
      expect(existsSync(`${file}.map`)).toBe(true)
      expect(await require(file).handler()).toEqual(['Hello', name, 'string'])
    }
    expect(bundles).toHaveLength(2)
  })

  test.each([
    ['does not compile', 'export const handler = ('],
    ['needs import.meta', 'export const handler = () => import.meta.url'],
    ['needs a module that is not there', `import './nowhere.ts'; export const handler = 1`],
  ])('rejects code that %s, and names the place', async (_, code) => {
    await expect(bundlesOf({ 'index.ts': code })).rejects.toThrow(/index\.ts:1:/)
  })
})

test('the hash function of checksums is loaded at its first call', async () => {
  const file = await bundled('lib/domain/nft/address.ts')
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

test('D43, D75, D81: the bundle of the checks can call every operation of AWS that they use', async () => {
  const { resources, interfere, proxy } = await startTestAws()
  const answers: Record<string, object> = {
    'GET /2016-08-19/account-settings': { AccountLimit: { ConcurrentExecutions: 10 } },
    DescribeCertificate: { Certificate: { Status: 'EXPIRED' } },
    DescribeResourcePolicies: { resourcePolicies: [] },
  }
  interfere({
    onRequest: (request) => {
      const body = answers[request.action]
      return body
        ? { status: 200, body }
        : stackIn('UPDATE_ROLLBACK_IN_PROGRESS').onRequest(request)
    },
  })
  const file = await bundled('infra/custom-resources/deployment-checks/handler.ts', true)
  const { handler } = require(file)
  const answerTo = async (event: object) => {
    const answered = Promise.withResolvers<unknown>()
    const ResponseURL = await serve((received, response) => {
      answered.resolve(json(received))
      response.end()
    })
    const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Checks' }
    await handler({ ...ids, ...event, ResponseURL })
    return answered.promise
  }
  const ResourceProperties = version(
    {},
    {
      // One alias exists, and another does not.
      Keys: [resourceNames.userJwtKeyAlias, 'alias/none'].map((Alias) => ({
        ...{ Purpose: 'user JWTs', Alias },
        Accepted: [resources.userJwtKeyArn],
      })),
      ...{ ImportedKeys: [resources.userJwtKeyArn], RestoredTable: resources.tableName },
    },
  )
  const success = { Status: 'SUCCESS', Reason: '' }
  expect(await answerTo({ RequestType: 'Create', ResourceProperties })).toMatchObject(success)
  const leaving = {
    ...{ RequestType: 'Update', PhysicalResourceId: 'checked' },
    OldResourceProperties: { ...ResourceProperties, RestoredTable: 'left' },
    ResourceProperties: {
      ...ResourceProperties,
      Needs: {
        ReservedConcurrency: '1',
        Certificates: [
          { Setting: 'edge.domain', Arn: 'arn:aws:acm:us-east-1:1:certificate/1', Domain: 'a.b' },
        ],
        AccessLog: 'http-api',
      },
    },
  }
  expect(await answerTo(leaving)).toMatchObject(success)
  expect(proxy.requests.filter(({ body }) => isDescribeStacks(body))).toHaveLength(1)
  expect(Object.keys(answers).map((action) => proxy.count(action))).toEqual([1, 1, 1])
})

test('the package of a function has its code, and not its source maps', () => {
  const { directory } = serviceApp().app.synth()
  const packed = globSync('asset.*/*', { cwd: directory }).map((path) => path.split(/[\\/]/)[1])
  expect(packed.length).toBeGreaterThan(20)
  expect(new Set(packed)).toEqual(new Set(['index.js']))
})

/** Loads the bundle of modules whose entry point is `index.ts`. */
async function loaded(modules: Record<string, string>) {
  const [{ file } = { file: '' }] = await bundlesOf(modules)
  const exported: Record<string, (...values: unknown[]) => unknown> = require(file)
  return { exported, file, code: await readFile(file, 'utf8') }
}

test('arrow functions become function expressions that do the same', async () => {
  const { exported, code } = await loaded({
    'index.ts': `
      export { products } from './products.js'
      export const sum = (first: number, ...others: number[]) =>
        others.reduce((total, other) => total + other, first)
      export const later = async ({ text = 'none' }: { text?: string } = {}) => await text`,
    'products.js': `
      export function products() {
        return [2, 3].map((value) => value * this.factor * arguments.length)
      }`,
  })
  const [, own] = code.split('module.exports=')
  expect(own).toMatch(/function/)
  expect(own).not.toContain('=>')
  expect(exported['sum']?.(1, 2, 3)).toBe(6)
  expect(await exported['later']?.()).toBe('none')
  expect(await exported['later']?.({ text: 'some' })).toBe('some')
  expect(exported['products']?.call({ factor: 10 }, 'one', 'two')).toEqual([40, 60])
})

test.each([
  ['before super()', 'constructor() { const late = () => this.name; super(); this.text = late() }'],
  ['in a field', 'own = () => this.name; text = this.own()'],
  ['in a static block', 'static { const own = () => this.label; this.prototype.text = own() }'],
  ['with super', 'get text() { return [1].map(() => super.toString())[0] }'],
])('arrow functions of classes stay, such as those %s', async (_, body) => {
  const { exported, code } = await loaded({
    'index.ts': `
      class Named { name = 'named'; static label = 'named'; toString() { return this.name } }
      class Text extends Named { ${body} }
      export const text = () => new Text().text`,
  })
  expect(code).toContain('=>')
  expect(exported['text']?.()).toBe('named')
})

test('a module that is imported for its effects only is still imported', async () => {
  const { exported } = await loaded({
    'index.ts': `
      import { noted } from './notes.ts'
      import { unused } from './effect.ts'
      export const notes = () => noted`,
    'notes.ts': 'export const noted: string[] = []',
    'effect.ts': `
      import { noted } from './notes.ts'
      noted.push('effect')
      export const unused = 1`,
  })
  expect(exported['notes']?.()).toEqual(['effect'])
})

test('the source map leads to the source', async () => {
  const text = `
    type Shape = { sides: number }
    export const broken = (shape: Shape) => {
      throw new Error(String(shape.sides))
    }`
  const { exported, file } = await loaded({ 'index.ts': text })
  let stack = ''
  try {
    exported['broken']?.({ sides: 3 })
  } catch (error) {
    stack = String((error as Error).stack)
  }
  const [, line = '', column = ''] = /index\.js:(\d+):(\d+)/.exec(stack) ?? []
  const map = new SourceMap(JSON.parse(await readFile(`${file}.map`, 'utf8')))
  expect(map.payload.sourcesContent).toEqual([text])
  expect(map.findOrigin(Number(line), Number(column))).toMatchObject({
    fileName: expect.stringMatching(/\/index\.ts$/),
    lineNumber: 4,
    columnNumber: 13,
  })
})

test.each([
  '/project/node_modules/alchemy-sdk/dist/esm/index-e2b4.js',
  'C:\\work\\node_modules\\alchemy-sdk\\dist\\esm\\index-e2b4.js',
])('the class is found at %s', (path) => {
  expect(path).toMatch(classFile)
})

// The tests of the API show that the functions with the bundled adapter answer as they should.
test('the bundled adapter takes less than 100 KB, and contains only the modules of the SDK that it runs', async () => {
  const { metafile } = await build({
    entryPoints: [join(root, 'lib/adapters/alchemy/alchemy-indexer.ts')],
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
