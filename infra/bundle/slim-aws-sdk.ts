import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/** The modules of the SDK that the functions never use, and the code that replaces each module. */
const substitutes: Readonly<Record<string, string>> = {
  // Clients search for credentials here if they have none. The functions pass Lambda's credentials.
  '@aws-sdk/credential-provider-node': `export const defaultProvider = () => async () => {
    throw new Error('This AWS client has no credentials')
  }`,
  // Clients read settings from these files, which do not exist in Lambda.
  loadSharedConfigFiles: `export const CONFIG_PREFIX_SEPARATOR = '.'
  export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} })`,
  // Endpoint discovery is off by default.
  '@aws-sdk/middleware-endpoint-discovery': `const noop = () => undefined
  export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
    environmentVariableSelector: noop, configFileSelector: noop, default: noop
  }
  export const resolveEndpointDiscoveryConfig = (config) => config
  export const getEndpointDiscoveryPlugin = () => ({ applyToStack: noop })`,
  // No operation uses event streams. The SDK imports them dynamically, which prevents tree-shaking.
  '@smithy/core/event-streams': `throw new Error('This bundle does not contain event streams')`,
  // A signer of requests creates this formatter of the headers in event streams.
  HeaderFormatter: 'export class HeaderFormatter {}',
  // The digests for a Node without OpenSSL.
  Sha256Js: 'export const Sha256Js = undefined',
  // clientOptions names another retry mode.
  AdaptiveRetryStrategy: `export class AdaptiveRetryStrategy {
    constructor() { throw new Error('This bundle does not contain the adaptive retry mode') }
  }`,
  // clientOptions names a defaults mode that does not look for the Region.
  getInstanceMetadataRegion: 'export const getInstanceMetadataRegion = async () => undefined',
}

/** The package.json of a client, which only names the version of the client in a header. */
const clientPackage = /[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]package\.json$/

const names = Object.keys(substitutes)

/**
 * Removes the parts of the AWS SDK that the functions never use: the credential providers (SSO, INI files,
 * instance metadata, …), because clientOptions passes the credentials of the environment to each client;
 * the shared configuration files; DynamoDB's endpoint discovery; event streams; the modes that
 * clientOptions does not name; and the metadata of the packages.
 */
export const slimAwsSdk: Plugin = {
  name: 'slim-aws-sdk',
  setup({ onLoad, onResolve }) {
    const filter = new RegExp(`(^|/)(${names.join('|')})$`)
    onResolve({ filter }, ({ path }) => ({ path, namespace: 'substitute' }))
    onLoad({ filter: /.*/, namespace: 'substitute' }, ({ path }) => ({
      contents: substitutes[names.find((name) => path.endsWith(name)) ?? ''] ?? '',
    }))
    onLoad({ filter: clientPackage }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8'))
      return { contents: JSON.stringify({ version }), loader: 'json' }
    })
  },
}
