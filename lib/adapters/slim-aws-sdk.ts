import type { Plugin } from 'esbuild'

/** Where the SDK's clients look for credentials when they are given none; ours are given Lambda's. */
const providerChain = /^@aws-sdk\/credential-provider-node$/

/** What its default chain would find out; here it is never asked. */
const contents = `exports.defaultProvider = () => async () => {
  throw new Error('AWS clients are given their credentials')
}`

/**
 * Leaves the AWS SDK's chain of credential providers (SSO, INI files, instance metadata, …) out of a
 * bundle: clientOptions gives every client the credentials of the environment.
 */
export const slimAwsSdk: Plugin = {
  name: 'slim-aws-sdk',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: providerChain }, ({ path }) => ({ path, namespace: 'provider-chain' }))
    onLoad({ filter: /.*/, namespace: 'provider-chain' }, () => ({ contents }))
  },
}
