import type { Plugin } from 'esbuild'

/** What the SDK's clients load for what a function never does, and what stands in its place. */
const substitutes: Readonly<Record<string, string>> = {
  // Where clients look for credentials when they are given none; ours are given Lambda's.
  '@aws-sdk/credential-provider-node': `export const defaultProvider = () => async () => {
    throw new Error('AWS clients are given their credentials')
  }`,
  // Where clients look for what neither code nor environment says: Lambda has no such files.
  loadSharedConfigFiles: `export const CONFIG_PREFIX_SEPARATOR = '.'
  export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} })`,
  // Off unless it is asked for, and then for the oldest of endpoints.
  '@aws-sdk/middleware-endpoint-discovery': `const nothing = () => undefined
  export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
    environmentVariableSelector: nothing, configFileSelector: nothing, default: nothing
  }
  export const resolveEndpointDiscoveryConfig = (config) => config
  export const getEndpointDiscoveryPlugin = () => ({ applyToStack: nothing })`,
  // No operation of ours streams. That it might be loaded late keeps all it needs from being tree-shaken.
  '@smithy/core/event-streams': `throw new Error('event streams are left out')`,
}

const names = Object.keys(substitutes)

/**
 * Leaves out of a bundle what the AWS SDK drags along and the functions never need: the chain of
 * credential providers (SSO, INI files, instance metadata, …), because clientOptions gives every client
 * the credentials of the environment; the shared configuration files; the discovery of DynamoDB's
 * endpoints; and event streams.
 */
export const slimAwsSdk: Plugin = {
  name: 'slim-aws-sdk',
  setup({ onLoad, onResolve }) {
    const filter = new RegExp(`(^|/)(${names.join('|')})$`)
    onResolve({ filter }, ({ path }) => ({ path, namespace: 'substitute' }))
    onLoad({ filter: /.*/, namespace: 'substitute' }, ({ path }) => ({
      contents: substitutes[names.find((name) => path.endsWith(name)) ?? ''] ?? '',
    }))
  },
}
