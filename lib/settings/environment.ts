import type { Limit, LimitName } from '../domain/limit/limit.ts'
import { toAddress } from '../domain/nft/address.ts'
import type { Chain } from '../domain/nft/chain.ts'
import { part } from './part.ts'
import {
  audienceFaults,
  keySourceFaults,
  playerTokenPublicKeyFaults,
  publicKeyFaults,
} from './rules.ts'
import {
  ALLOWLIST_CHAINS,
  ALLOWLISTED_NFTS_PER_PRODUCT_AND_MINUTE,
  ARWEAVE_GATEWAY,
  AWS_ACCESS_KEY_ID,
  AWS_ENDPOINT_URL,
  AWS_REGION,
  AWS_SECRET_ACCESS_KEY,
  AWS_SESSION_TOKEN,
  CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_DAY,
  CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_MINUTE,
  CLIENT_READS_PER_PLAYER_AND_MINUTE,
  EDGE_SECRETS,
  INDEXER_CALLS_PER_PRODUCT_AND_DAY,
  INDEXER_CALLS_PER_PRODUCT_AND_MINUTE,
  INDEXER_SECRET_ARN,
  INDEXER_URL,
  IPFS_GATEWAY,
  ISSUER,
  MAINTENANCE,
  NEW_KEYS_PER_PRODUCT_AND_DAY,
  NFTS_PER_PRODUCT,
  PLAYER_DETAILS_PER_PLAYER_AND_MINUTE,
  PLAYER_DIGEST_KEY,
  PLAYER_TOKEN_AUDIENCE,
  PLAYER_TOKEN_ISSUERS,
  PLAYER_TOKEN_KEY_ARNS,
  PLAYER_TOKEN_PRODUCT,
  PLAYER_TOKEN_PUBLIC_KEYS,
  PLAYER_TOKENS_PER_USER_AND_HOUR,
  QUEUE_URL,
  REFRESHED_NFTS,
  REGISTRATIONS_PER_ADDRESS_AND_HOUR,
  REGISTRATIONS_PER_HOUR,
  SERVICE_TOKEN,
  SWEEP_DELAY_SECONDS,
  TABLE_NAME,
  USAGE_DELAY_SECONDS,
  USER_ID_CLAIM,
  USER_IDS,
  USER_JWT_ALGORITHM,
  USER_JWT_ALGORITHMS,
  USER_JWT_AUDIENCE,
  USER_JWT_JWKS_URL,
  USER_JWT_KEY_ARNS,
  USER_JWT_MAX_LIFETIME_SECONDS,
  USER_JWT_PUBLIC_KEYS,
  USERNAME_CLAIM,
  WALLETS_CLAIM,
} from './setting-table.ts'

/** The AWS Region, the credentials, and an endpoint that replaces AWS. Lambda sets all but the endpoint. */
export const awsSettings = part(
  {
    AWS_REGION,
    AWS_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY,
    AWS_SESSION_TOKEN,
    AWS_ENDPOINT_URL,
  },
  (env) => ({
    region: env.AWS_REGION,
    endpoint: env.AWS_ENDPOINT_URL,
    credentials: {
      accessKeyId: env.AWS_ACCESS_KEY_ID,
      secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
      ...(env.AWS_SESSION_TOKEN && { sessionToken: env.AWS_SESSION_TOKEN }),
    },
  }),
)

/** The DynamoDB table, and whether it must not be used (D44). */
export const tableSettings = part({ TABLE_NAME, MAINTENANCE }, (env) => ({
  tableName: env.TABLE_NAME,
  isInMaintenance: env.MAINTENANCE === 'true',
}))

/** The queue of the background work. `sweepDelaySeconds` exceeds the timeout of every function (D19). */
export const queueSettings = part({ QUEUE_URL, SWEEP_DELAY_SECONDS }, (env) => ({
  queueUrl: env.QUEUE_URL,
  sweepDelaySeconds: env.SWEEP_DELAY_SECONDS,
}))

/**
 * The issuer of user JWTs, the issuers of player tokens, and the audiences of both, which differ (D21, D23).
 * All issuers of player tokens are accepted, and new player tokens get the first (D42).
 */
export const tokenSettings = part(
  { ISSUER, USER_JWT_AUDIENCE, PLAYER_TOKEN_ISSUERS, PLAYER_TOKEN_AUDIENCE },
  (env) => ({
    issuer: env.ISSUER,
    userJwtAudience: env.USER_JWT_AUDIENCE,
    playerTokenIssuers: (env.PLAYER_TOKEN_ISSUERS ?? [env.ISSUER]) as [string, ...string[]],
    playerTokenAudience: env.PLAYER_TOKEN_AUDIENCE,
  }),
  (env) => audienceFaults(env),
)

/** The claims of user JWTs, the source of user ids, and the longest lifetime of a user JWT (D40, D41, D53). */
export const userJwtClaimSettings = part(
  { USER_ID_CLAIM, USERNAME_CLAIM, WALLETS_CLAIM, USER_IDS, USER_JWT_MAX_LIFETIME_SECONDS },
  (env) => ({
    userIdClaim: env.USER_ID_CLAIM,
    usernameClaim: env.USERNAME_CLAIM,
    walletsClaim: env.WALLETS_CLAIM,
    userIds: env.USER_IDS,
    maxLifetimeSeconds: env.USER_JWT_MAX_LIFETIME_SECONDS,
  }),
)

/** Whether player tokens must be for the game of one product (D52). */
export const playerTokenProductSettings = part({ PLAYER_TOKEN_PRODUCT }, (env) => ({
  playerTokenProduct: env.PLAYER_TOKEN_PRODUCT,
}))

/** The ARNs of the KMS keys of player tokens. All keys are accepted, and the first key signs (D23). */
export const playerTokenKeySettings = part({ PLAYER_TOKEN_KEY_ARNS }, (env) => ({
  keyArns: env.PLAYER_TOKEN_KEY_ARNS as [string, ...string[]],
}))

/**
 * The same keys for functions that verify player tokens, with their public keys (base64 of DER
 * SubjectPublicKeyInfo) in the same order if the deployment has read them (D74).
 */
export const playerTokenVerificationSettings = part(
  { PLAYER_TOKEN_KEY_ARNS, PLAYER_TOKEN_PUBLIC_KEYS },
  (env) => ({
    keyArns: env.PLAYER_TOKEN_KEY_ARNS as [string, ...string[]],
    publicKeys: env.PLAYER_TOKEN_PUBLIC_KEYS as [string, ...string[]] | undefined,
  }),
  (env) => playerTokenPublicKeyFaults(env),
)

/**
 * The keys of user JWTs: the ARNs of KMS keys, the public keys (base64 of DER SubjectPublicKeyInfo) of a
 * login with keys of its own, or the URL of the login's JWK set; and the accepted algorithms. All keys are
 * accepted, and the first key is published (D22, D32, D40).
 */
export const userJwtKeySettings = part(
  {
    USER_JWT_KEY_ARNS,
    USER_JWT_PUBLIC_KEYS,
    USER_JWT_JWKS_URL,
    USER_JWT_ALGORITHM,
    USER_JWT_ALGORITHMS,
  },
  (env) => ({
    keyArns: env.USER_JWT_KEY_ARNS as [string, ...string[]] | undefined,
    publicKeys: env.USER_JWT_PUBLIC_KEYS as [string, ...string[]] | undefined,
    jwksUrl: env.USER_JWT_JWKS_URL,
    algorithms: (env.USER_JWT_JWKS_URL ? env.USER_JWT_ALGORITHMS : [env.USER_JWT_ALGORITHM]) as [
      string,
      ...string[],
    ],
  }),
  (env) => [...keySourceFaults(env), ...publicKeyFaults(env)],
)

/** The secrets that the CloudFront distribution in front of the API sends; empty without one (D54). */
export const edgeSettings = part({ EDGE_SECRETS }, (env) => ({ secrets: env.EDGE_SECRETS ?? [] }))

/** The key of the digests by which log lines name players (D72). */
export const playerDigestSettings = part({ PLAYER_DIGEST_KEY }, (env) => ({
  key: env.PLAYER_DIGEST_KEY,
}))

/** The secret with the API key for the indexer, and a base URL that replaces Alchemy's. */
export const indexerSettings = part({ INDEXER_SECRET_ARN, INDEXER_URL }, (env) => ({
  secretArn: env.INDEXER_SECRET_ARN,
  baseUrl: env.INDEXER_URL?.replace(/\/+$/, ''),
}))

/** The gateways in the links of images with `ipfs:` and `ar:` URLs (D28). Each ends with a slash. */
export const gatewaySettings = part({ IPFS_GATEWAY, ARWEAVE_GATEWAY }, (env) => ({
  ipfs: withSlash(env.IPFS_GATEWAY),
  arweave: withSlash(env.ARWEAVE_GATEWAY),
}))

const withSlash = (gateway: string) => gateway.replace(/\/*$/, '/')

/** The chains that are open for allowlisting (D56). */
export const allowlistSettings = part({ ALLOWLIST_CHAINS }, (env) => ({
  openChains: env.ALLOWLIST_CHAINS as [Chain, ...Chain[]],
}))

/** The ERC-20 token whose balance is in the player details, with its symbol if that is set (D29, D36). */
export const serviceTokenSettings = part({ SERVICE_TOKEN }, (env) => {
  const [chain, address, decimals, symbol] = env.SERVICE_TOKEN.split(':') as [
    Chain,
    string,
    string,
    string?,
  ]
  const token = { chain, address: toAddress(address) }
  return { token, decimals: Number(decimals), ...(symbol !== undefined && { symbol }) }
})

const perMinute = 60
const perHour = 3_600
const perDay = 86_400

/** A limit with this count, or `undefined` without a count. */
const limitOf = (
  name: LimitName,
  count: number | undefined,
  perSeconds: number,
): Limit | undefined => (count === undefined ? undefined : { name, count, perSeconds })

/** The limits of registrations, in all and by source address (D47). */
export const registrationLimits = part(
  { REGISTRATIONS_PER_HOUR, REGISTRATIONS_PER_ADDRESS_AND_HOUR },
  (env) => ({
    inAll: limitOf('registrations', env.REGISTRATIONS_PER_HOUR, perHour),
    byAddress: limitOf('registrations_by_address', env.REGISTRATIONS_PER_ADDRESS_AND_HOUR, perHour),
  }),
)

/** The limit of the player tokens of a user (D47). */
export const playerTokenLimit = part({ PLAYER_TOKENS_PER_USER_AND_HOUR }, (env) =>
  limitOf('player_tokens', env.PLAYER_TOKENS_PER_USER_AND_HOUR, perHour),
)

/** The limits of a player at the player details (D47). */
export const playerDetailsLimits = part(
  { PLAYER_DETAILS_PER_PLAYER_AND_MINUTE },
  (env): readonly Limit[] => {
    const limit = limitOf('player_details', env.PLAYER_DETAILS_PER_PLAYER_AND_MINUTE, perMinute)
    return limit ? [limit] : []
  },
)

/** The limits of a player at games without an API key (D47, D51). */
export const clientReadLimits = part(
  { CLIENT_READS_PER_PLAYER_AND_MINUTE },
  (env): readonly Limit[] => {
    const limit = limitOf('client_reads', env.CLIENT_READS_PER_PLAYER_AND_MINUTE, perMinute)
    return limit ? [limit] : []
  },
)

/** The limits of the indexer calls of a product (D47). */
export const indexerLimits = part(
  { INDEXER_CALLS_PER_PRODUCT_AND_MINUTE, INDEXER_CALLS_PER_PRODUCT_AND_DAY },
  (env) => ({
    indexer: [
      limitOf('indexer_calls_by_minute', env.INDEXER_CALLS_PER_PRODUCT_AND_MINUTE, perMinute),
      limitOf('indexer_calls_by_day', env.INDEXER_CALLS_PER_PRODUCT_AND_DAY, perDay),
    ].filter((limit) => limit !== undefined),
  }),
)

/** The limits of the indexer calls of a product that its games cause without an API key (D47, D51). */
export const clientIndexerLimits = part(
  { CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_MINUTE, CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_DAY },
  (env) => ({
    clientIndexer: [
      limitOf(
        'client_indexer_calls_by_minute',
        env.CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_MINUTE,
        perMinute,
      ),
      limitOf('client_indexer_calls_by_day', env.CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_DAY, perDay),
    ].filter((limit) => limit !== undefined),
  }),
)

/** The limits of allowlisting (D47). `maxNfts`: the NFTs on all allowlists of a product. */
export const allowlistingLimits = part(
  { ALLOWLISTED_NFTS_PER_PRODUCT_AND_MINUTE, NFTS_PER_PRODUCT },
  (env) => ({
    allowlisting: [
      limitOf('allowlisted_nfts', env.ALLOWLISTED_NFTS_PER_PRODUCT_AND_MINUTE, perMinute),
    ].filter((limit) => limit !== undefined),
    maxNfts: env.NFTS_PER_PRODUCT,
  }),
)

/** The limit of the new keys of a product (D47). */
export const newKeyLimits = part({ NEW_KEYS_PER_PRODUCT_AND_DAY }, (env) => ({
  requests: [limitOf('new_keys', env.NEW_KEYS_PER_PRODUCT_AND_DAY, perDay)].filter(
    (limit) => limit !== undefined,
  ),
}))

/** The maximum number of NFTs that one refresh checks (D47). */
export const refreshSettings = part({ REFRESHED_NFTS }, (env) => ({
  maxNftsPerRefresh: env.REFRESHED_NFTS,
}))

/** The time for which a container keeps counts of usage (D55). */
export const usageSettings = part({ USAGE_DELAY_SECONDS }, (env) => ({
  delaySeconds: env.USAGE_DELAY_SECONDS,
}))
