import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { slimAwsEndpoints } from '../../../infra/bundle/slim-aws-endpoints.ts'

interface Endpoint {
  url: URL
  properties?: object
  headers?: object
}

type Resolve = (parameters: Record<string, unknown>) => Endpoint

const clients = ['dynamodb', 'kms', 'secrets-manager', 'sqs']
const require = createRequire(import.meta.url)
const parameters = { UseDualStack: false, UseFIPS: false }

/** The resolver of a client, bundled with or without the plugin, and the size of the bundle. */
async function bundled(client: string, plugins: (typeof slimAwsEndpoints)[]) {
  const module = `@aws-sdk/client-${client}/dist-es/endpoint/endpointResolver.js`
  const { outputFiles } = await build({
    stdin: {
      contents: `export { defaultEndpointResolver } from '${module}'`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    minify: true,
    logLevel: 'silent',
    plugins,
  })
  const [{ text = '' } = {}] = outputFiles
  const loaded: { exports: { defaultEndpointResolver?: Resolve } } = { exports: {} }
  new Function('module', 'exports', 'require', text)(loaded, loaded.exports, require)
  return { resolve: loaded.exports.defaultEndpointResolver as Resolve, bytes: text.length }
}

/** The Regions of all partitions. A pseudo-Region such as `aws-global` is none. */
async function allRegions(): Promise<string[]> {
  const index = require.resolve('@aws-sdk/core/client')
  const folder = index.replace(/[\\/]dist-cjs[\\/].*/, '/dist-es/submodules/client')
  const text = await readFile(`${folder}/util-endpoints/lib/aws/partitions.js`, 'utf8')
  const { partitions } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  const regions = partitions.flatMap(({ regions }: { regions: object }) => Object.keys(regions))
  return regions.filter((region: string) => !region.endsWith('-global'))
}

describe.each(clients)('the endpoints of %s', (client) => {
  let ours: Awaited<ReturnType<typeof bundled>>
  let original: Awaited<ReturnType<typeof bundled>>

  beforeAll(async () => {
    ours = await bundled(client, [slimAwsEndpoints])
    original = await bundled(client, [])
  })

  test('are those of the SDK in every Region, and in one that the SDK does not know', async () => {
    const regions = [...(await allRegions()), 'eu-west-99', 'us-gov-west-9', 'cn-south-9', 'x']
    expect(regions.length).toBeGreaterThan(40)
    for (const Region of regions) {
      const { url, properties, headers } = original.resolve({ ...parameters, Region })
      expect(ours.resolve({ ...parameters, Region })).toEqual({
        url,
        properties: properties ?? {},
        headers: headers ?? {},
      })
    }
  })

  test('an endpoint of the options replaces them', () => {
    const asked = { ...parameters, Region: 'eu-central-1', Endpoint: 'http://127.0.0.1:4566' }
    expect(ours.resolve(asked).url).toEqual(original.resolve(asked).url)
  })

  test.each(['UseFIPS', 'UseDualStack'])('%s fails instead of another endpoint', (option) => {
    const asked = { ...parameters, Region: 'us-east-1', [option]: true }
    expect(() => ours.resolve(asked)).toThrow('does not contain dual-stack and FIPS endpoints')
  })

  test('take at least 10 KB of code less', () => {
    expect(ours.bytes).toBeLessThan(original.bytes - 10_000)
  })
})
