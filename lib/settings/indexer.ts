import { toAddress } from '../domain/nft/address.ts'
import type { Chain } from '../domain/nft/chain.ts'
import { chainList, httpUrl, serviceToken, text } from './forms.ts'
import { part } from './part.ts'
import type { AtLeastOne, Setting } from './setting.ts'

export const INDEXER_SECRET_ARN = {
  meaning: 'the ARN of the Secrets Manager secret that holds the API key for the indexer',
  form: text,
} as const satisfies Setting

export const INDEXER_URL = {
  meaning:
    'an indexer compatible with Alchemy: its APIs are at `<url>/<network>/nft/v3/<key>/…` and `<url>/<network>/v2/<key>`',
  form: httpUrl,
  optional: true,
  inDeployment: 'indexerUrl',
} as const satisfies Setting

export const IPFS_GATEWAY = {
  meaning: 'the gateway in the links of images with an `ipfs:` URL (D134)',
  form: httpUrl,
  default: 'https://ipfs.io/ipfs/',
  optional: true,
  inDeployment: 'ipfsGateway',
} as const satisfies Setting

export const ARWEAVE_GATEWAY = {
  meaning: 'the gateway in the links of images with an `ar:` URL (D134)',
  form: httpUrl,
  default: 'https://arweave.net/',
  optional: true,
  inDeployment: 'arweaveGateway',
} as const satisfies Setting

export const ALLOWLIST_CHAINS = {
  meaning:
    'the chains that are open for allowlisting, of the covered chains (D56); each network must be enabled in the Alchemy app of the key',
  form: chainList,
  default: ['POLYGON', 'BSC'],
  inDeployment: 'allowlistChains',
} as const satisfies Setting

export const SERVICE_TOKEN = {
  meaning:
    'the ERC-20 token whose balance is in the player details: `<CHAIN>:<address>:<decimals>`, or with its symbol `<CHAIN>:<address>:<decimals>:<symbol>`, on any covered chain (D29, D36, D56)',
  form: serviceToken,
  inDeployment: 'serviceToken',
} as const satisfies Setting

/** The secret with the API key for the indexer, and a base URL that replaces Alchemy's. */
export const indexerSettings = part({ INDEXER_SECRET_ARN, INDEXER_URL }, (env) => ({
  secretArn: env.INDEXER_SECRET_ARN,
  baseUrl: env.INDEXER_URL?.replace(/\/+$/, ''),
}))

/** The gateways in the links of images with `ipfs:` and `ar:` URLs (D134). Each ends with a slash. */
export const gatewaySettings = part({ IPFS_GATEWAY, ARWEAVE_GATEWAY }, (env) => ({
  ipfs: withSlash(env.IPFS_GATEWAY),
  arweave: withSlash(env.ARWEAVE_GATEWAY),
}))

const withSlash = (gateway: string) => gateway.replace(/\/*$/, '/')

/** The chains that are open for allowlisting (D56). */
export const allowlistSettings = part({ ALLOWLIST_CHAINS }, (env) => ({
  openChains: env.ALLOWLIST_CHAINS as AtLeastOne<Chain>,
}))

/** The ERC-20 token whose balance is in the player details, with its symbol if that is set (D29, D36). */
export const serviceTokenSettings = part({ SERVICE_TOKEN }, (env) => {
  // The form of the setting has these parts.
  const [chain, address, decimals, symbol] = env.SERVICE_TOKEN.split(':') as [
    Chain,
    string,
    string,
    string?,
  ]
  const token = { chain, address: toAddress(address) }
  return { token, decimals: Number(decimals), ...(symbol !== undefined && { symbol }) }
})
