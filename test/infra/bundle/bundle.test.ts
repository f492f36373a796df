import { existsSync, globSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { resourceNames } from '@player-nfts/local/aws/provision'
import { describe, expect, test } from 'vitest'
import { bundleFunctions, codeFilesOf } from '../../../infra/bundle/bundle.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { isDescribeStacks, stackIn, version } from '../../support/check-requests.ts'
import { newFolder } from '../../support/command-fixture.ts'
import { serviceApp } from '../../support/service-template.ts'
import { serve } from '../../support/services/http-server.ts'

describe('bundling', () => {
  test('writes one self-contained CommonJS file for each function, whatever the files of the folder', async () => {
    const folder = newFolder()
    const source = join(folder, 'source')
    await mkdir(source)
    await writeFile(join(source, 'shared.ts'), `export const greeting: string = 'Hello'`)
    for (const name of ['hello', 'bye']) {
      await writeFile(
        join(source, `${name}.ts`),
        `import { greeting } from './shared.ts'
        import { hostname } from 'node:os'
        export const handler = async () => [greeting, ${JSON.stringify(name)}, typeof hostname()]`,
      )
    }
    const outDir = join(folder, 'out')
    await mkdir(outDir)
    await writeFile(join(outDir, 'package.json'), '{"type":"module"}')
    const bundles = await bundleFunctions({
      entryPoints: [join(source, 'hello.ts'), join(source, 'bye.ts')],
      outDir,
    })
    expect(bundles.map(({ name, file }) => ({ name, file }))).toEqual([
      { name: 'hello', file: join(outDir, 'hello', 'index.js') },
      { name: 'bye', file: join(outDir, 'bye', 'index.js') },
    ])
    for (const { name, file, bytes } of bundles) {
      const code = await readFile(file, 'utf8')
      expect(bytes).toBe(Buffer.byteLength(code))
      expect(code).not.toContain('sourceMappingURL')
      expect(existsSync(`${file}.map`)).toBe(true)
      const { handler } = createRequire(import.meta.url)(file)
      expect(await handler()).toEqual(['Hello', name, 'string'])
    }
  })

  test.each([
    ['does not compile', 'export const handler = ('],
    ['needs import.meta', 'export const handler = () => import.meta.url'],
    ['needs a module that is not there', `import './nowhere.ts'; export const handler = 1`],
  ])('rejects code that %s, and names the place', async (_, code) => {
    const folder = newFolder()
    const entryPoint = join(folder, 'broken.ts')
    await writeFile(entryPoint, code)
    const bundling = bundleFunctions({ entryPoints: [entryPoint], outDir: join(folder, 'broken') })
    await expect(bundling).rejects.toThrow(/broken\.ts:1:/)
  })
})

const root = join(import.meta.dirname, '../../..')

const bundled = async (source: string) => {
  const [bundle] = await bundleFunctions({
    entryPoints: [join(root, source)],
    outDir: newFolder(),
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

const require = createRequire(import.meta.url)

const customResources = join(import.meta.dirname, '../../../infra/custom-resources')

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
  const [bundle] = await bundleFunctions({
    entryPoints: [join(customResources, 'deployment-checks/handler.ts')],
    outDir: newFolder(),
    needsWholeSdk: true,
  })
  const { handler } = require(bundle?.file ?? '')
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
