import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'

/** The module of a client that evaluates the rules for its endpoints. */
const resolverModule = /[\\/]client-[^\\/]+[\\/]dist-es[\\/]endpoint[\\/]endpointResolver\.js$/

/** The partitions of AWS, each with all of its Regions. */
const partitionsModule = /[\\/]util-endpoints[\\/]lib[\\/]aws[\\/]partitions\.js$/

/**
 * Replaces the rules by which AWS clients find their endpoints, which are a decision tree and its interpreter for each
 * client: the endpoint is that of the client's options, or else the one of the service in the Region. Bundles do not
 * contain FIPS and dual-stack endpoints, and a client that asks for them fails. Of the partitions of AWS, only the
 * patterns of their Regions and their DNS suffixes are left.
 */
export const slimAwsEndpoints: Plugin = {
  name: 'slim-aws-endpoints',
  setup({ onLoad }) {
    onLoad({ filter: resolverModule }, async ({ path }) => ({
      contents: resolverOf(await signingNameBeside(path)),
      resolveDir: dirname(path),
    }))
    onLoad({ filter: partitionsModule }, async ({ path }) => ({
      contents: `export const partitionsInfo = ${JSON.stringify(slimmed(await readFile(path, 'utf8')))}`,
    }))
  },
}

/** The name of a service in signatures, which is also the first label of its host names. */
async function signingNameBeside(resolver: string): Promise<string> {
  const parameters = await readFile(join(dirname(resolver), 'EndpointParameters.js'), 'utf8')
  const [, name] = /defaultSigningName: "([a-z]+)"/.exec(parameters) ?? []
  if (!name) throw new Error(`${resolver}: the name of the service was not found`)
  return name
}

const resolverOf = (service: string): string => `import { partition } from '@aws-sdk/core/client'
const endpoints = new Map()
const urlOf = ({ Endpoint, Region, UseDualStack, UseFIPS }) => {
  if (UseDualStack || UseFIPS) {
    throw new Error('This bundle does not contain dual-stack and FIPS endpoints')
  }
  return Endpoint ?? 'https://${service}.' + Region + '.' + partition(Region).dnsSuffix
}
export const defaultEndpointResolver = (parameters) => {
  const url = urlOf(parameters)
  const endpoint = endpoints.get(url) ?? { url: new URL(url), properties: {}, headers: {} }
  endpoints.set(url, endpoint)
  return endpoint
}`

interface Partitions {
  partitions: { id: string; regionRegex: string; outputs: { dnsSuffix: string } }[]
}

function slimmed(module: string): unknown {
  const { partitions }: Partitions = JSON.parse(
    module.slice(module.indexOf('{'), module.lastIndexOf('}') + 1),
  )
  return {
    partitions: partitions.map(({ id, regionRegex, outputs: { dnsSuffix } }) => ({
      ...{ id, regionRegex, regions: {} },
      outputs: { dnsSuffix },
    })),
  }
}
