import * as v from 'valibot'
import {
  chainList,
  claimPath,
  followedChainList,
  httpUrl,
  keySetAlgorithmList,
  keySetUrl,
  playerTokenProductRule,
  serviceToken,
  sqsDelaySeconds,
  text,
  texts,
  userIdSource,
  userJwtAlgorithm,
  wholeNumber,
} from './forms.ts'
import { limitSetting } from './limit-setting.ts'
import type { Setting } from './setting.ts'

// All settings of the functions: each export is a row, under the name of its environment variable.
// lib/settings/environment.ts reads the variables, the deployment and `npm start` set them, and
// docs/settings.md shows them. A bundle contains only the rows that its function reads.

export const AWS_REGION = { meaning: 'the AWS Region', form: text } as const satisfies Setting

export const AWS_ACCESS_KEY_ID = {
  meaning: 'the id of the access key for calls to AWS',
  form: text,
} as const satisfies Setting

export const AWS_SECRET_ACCESS_KEY = {
  meaning: 'the secret of the access key',
  form: text,
} as const satisfies Setting

export const AWS_SESSION_TOKEN = {
  meaning: 'the session token of temporary credentials',
  form: text,
  optional: true,
} as const satisfies Setting

export const AWS_ENDPOINT_URL = {
  meaning: 'an endpoint that replaces AWS for DynamoDB, KMS, SQS and Secrets Manager',
  form: httpUrl,
  optional: true,
} as const satisfies Setting

export const TABLE_NAME = {
  meaning: 'the name of the DynamoDB table',
  form: text,
} as const satisfies Setting

export const MAINTENANCE = {
  meaning:
    '`true` if the table must not be used, so that operations that need it fail with 503 (D44)',
  form: v.literal('true', 'must be true, or not set'),
  optional: true,
} as const satisfies Setting

export const QUEUE_URL = {
  meaning: 'the URL of the SQS queue of the background work',
  form: httpUrl,
} as const satisfies Setting

export const SWEEP_DELAY_SECONDS = {
  meaning:
    'the seconds from unbinding a contract to sweeping its entries, and from the end of a product to deleting its data: more than the timeout of any function, at most 900 (D19, D45)',
  form: sqsDelaySeconds,
  notation: 'number',
  default: 60,
  inDeployment: 'sweepDelaySeconds',
} as const satisfies Setting

export const ISSUER = {
  meaning:
    'the issuer (`iss`) of user JWTs, and of player tokens without `PLAYER_TOKEN_ISSUERS` (D21, D23)',
  form: text,
  inDeployment: 'issuer',
} as const satisfies Setting

export const USER_JWT_AUDIENCE = {
  meaning: 'the audience (`aud`) of user JWTs (D21)',
  form: text,
  inDeployment: 'userJwtAudience',
} as const satisfies Setting

export const PLAYER_TOKEN_AUDIENCE = {
  meaning: 'the audience (`aud`) of player tokens, which must differ from that of user JWTs (D23)',
  form: text,
  inDeployment: 'playerTokenAudience',
} as const satisfies Setting

export const PLAYER_TOKEN_ISSUERS = {
  meaning:
    'the issuers (`iss`) of player tokens: all are accepted, and new player tokens get the first (D42)',
  form: texts,
  notation: 'commaSeparated',
  optional: true,
  inDeployment: 'playerTokenIssuers',
} as const satisfies Setting

export const PLAYER_TOKEN_PRODUCT = {
  meaning: 'whether a player token must be for the game of one product (D52)',
  form: playerTokenProductRule,
  default: 'optional',
  inDeployment: 'playerTokenProduct',
} as const satisfies Setting

export const PLAYER_TOKEN_KEY_ARNS = {
  meaning:
    'the ARNs of the KMS keys of player tokens: all keys are accepted, and the first key signs (D23)',
  form: texts,
  notation: 'commaSeparated',
} as const satisfies Setting

export const PLAYER_TOKEN_PUBLIC_KEYS = {
  meaning:
    'the public keys of the keys in `PLAYER_TOKEN_KEY_ARNS`, in their order, each as the base64 of its DER SubjectPublicKeyInfo: a function with them does not read the keys from KMS (D74)',
  form: texts,
  notation: 'commaSeparated',
  optional: true,
} as const satisfies Setting

export const USER_JWT_KEY_ARNS = {
  meaning:
    'the ARNs of the KMS keys of user JWTs: all keys are accepted, and the first key is published (D32)',
  form: texts,
  notation: 'commaSeparated',
  optional: true,
} as const satisfies Setting

export const USER_JWT_PUBLIC_KEYS = {
  meaning:
    'the public keys of a login that signs with keys of its own, each as the base64 of its DER SubjectPublicKeyInfo: all keys are accepted, and the first key is published (D22, D32)',
  form: texts,
  notation: 'commaSeparated',
  optional: true,
  inDeployment: 'loginPublicKeys',
} as const satisfies Setting

export const USER_JWT_ALGORITHM = {
  meaning:
    'the algorithm with which the login signs: `ES256`, `ES384`, `RS256`, `PS256` or `EdDSA` (D22)',
  form: userJwtAlgorithm,
  default: 'ES256',
  inDeployment: 'loginAlgorithm',
} as const satisfies Setting

export const USER_JWT_JWKS_URL = {
  meaning:
    'the URL of the JWK set of a login that signs with keys of its own: all usable keys are accepted, and the first usable key is published (D40)',
  form: keySetUrl,
  optional: true,
  inDeployment: 'loginJwksUrl',
} as const satisfies Setting

export const USER_JWT_ALGORITHMS = {
  meaning:
    'the algorithms that are accepted from the login with this JWK set, of `ES256`, `ES384`, `ES512`, `RS256`, `RS384`, `RS512`, `PS256`, `PS384`, `PS512` and `EdDSA` (D40)',
  form: keySetAlgorithmList,
  notation: 'commaSeparated',
  default: ['RS256', 'ES256'],
  optional: true,
  inDeployment: 'loginAlgorithms',
} as const satisfies Setting

export const USER_ID_CLAIM = {
  meaning: 'the claim of user JWTs that identifies the user: a name, or a path with dots (D40)',
  form: claimPath,
  default: 'sub',
  optional: true,
  inDeployment: 'userIdClaim',
} as const satisfies Setting

export const USERNAME_CLAIM = {
  meaning: 'the claim of user JWTs with the username (D40)',
  form: claimPath,
  default: 'username',
  optional: true,
  inDeployment: 'usernameClaim',
} as const satisfies Setting

export const WALLETS_CLAIM = {
  meaning: 'the claim of user JWTs with the list of wallets (D40)',
  form: claimPath,
  default: 'wallets',
  optional: true,
  inDeployment: 'walletsClaim',
} as const satisfies Setting

export const USER_IDS = {
  meaning:
    'the source of user ids: `subject`, the claim itself, or `assigned`, an integer of its own for each issuer and user (D41)',
  form: userIdSource,
  default: 'subject',
  inDeployment: 'userIds',
} as const satisfies Setting

export const EDGE_SECRETS = {
  meaning:
    'the secrets that the CloudFront distribution sends: beside each of them, `CloudFront-Viewer-Address` is the address of the caller (D54)',
  form: texts,
  notation: 'commaSeparated',
  optional: true,
} as const satisfies Setting

export const PLAYER_DIGEST_KEY = {
  meaning: 'the key of the digests by which log lines name players (D72)',
  form: text,
} as const satisfies Setting

export const USER_JWT_MAX_LIFETIME_SECONDS = {
  meaning: 'the longest lifetime of a user JWT in seconds, from its `iat` to its `exp` (D53)',
  form: wholeNumber(60, 31_536_000),
  notation: 'number',
  default: 86_400,
  inDeployment: 'userJwtMaxLifetimeSeconds',
} as const satisfies Setting

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
  meaning: 'the gateway in the links of images with an `ipfs:` URL (D28)',
  form: httpUrl,
  default: 'https://ipfs.io/ipfs/',
  optional: true,
  inDeployment: 'ipfsGateway',
} as const satisfies Setting

export const ARWEAVE_GATEWAY = {
  meaning: 'the gateway in the links of images with an `ar:` URL (D28)',
  form: httpUrl,
  default: 'https://arweave.net/',
  optional: true,
  inDeployment: 'arweaveGateway',
} as const satisfies Setting

export const ALLOWLIST_CHAINS = {
  meaning:
    'the chains that are open for allowlisting, of the covered chains (D56); each network must be enabled in the Alchemy app of the key',
  form: chainList,
  notation: 'commaSeparated',
  default: ['POLYGON', 'BSC'],
  inDeployment: 'allowlistChains',
} as const satisfies Setting

export const SERVICE_TOKEN = {
  meaning:
    'the ERC-20 token whose balance is in the player details: `<CHAIN>:<address>:<decimals>`, or with its symbol `<CHAIN>:<address>:<decimals>:<symbol>`, on any covered chain (D29, D36, D56)',
  form: serviceToken,
  inDeployment: 'serviceToken',
} as const satisfies Setting

export const USAGE_DELAY_SECONDS = {
  meaning:
    'the seconds for which a container keeps counts of usage, before its next request writes them (D55)',
  form: wholeNumber(0, 3_600),
  notation: 'number',
  default: 30,
  optional: true,
  inDeployment: 'usageDelaySeconds',
} as const satisfies Setting

export const REMEMBER_SECONDS = {
  meaning:
    "the seconds for which an answer about a player's NFTs or balance is remembered on a chain that is not followed; `0` remembers nothing there (D65)",
  form: wholeNumber(0, 86_400),
  notation: 'number',
  default: 0,
  optional: true,
  inDeployment: 'rememberSeconds',
} as const satisfies Setting

export const FOLLOWED_CHAINS = {
  meaning:
    "the chains whose transfers are followed, so that answers about a player's NFTs are remembered until an NFT moves; following a chain costs about 38 dollars a month (D66)",
  form: followedChainList,
  notation: 'commaSeparated',
  optional: true,
  inDeployment: 'followedChains',
} as const satisfies Setting

export const REMEMBER_FOLLOWED_SECONDS = {
  meaning:
    "the most seconds for which an answer about a player's NFTs is remembered on a followed chain (D65)",
  form: wholeNumber(1, 86_400),
  notation: 'number',
  default: 86_400,
  optional: true,
  inDeployment: 'rememberFollowedSeconds',
} as const satisfies Setting

export const SETTLING_SECONDS = {
  meaning:
    "the most seconds by which the indexer's data can be behind the block that it states (D65)",
  form: wholeNumber(0, 3_600),
  notation: 'number',
  default: 30,
  optional: true,
  inDeployment: 'settlingSeconds',
} as const satisfies Setting

export const FOLLOW_POLL_SECONDS = {
  meaning: 'the seconds between two questions of a follower for new blocks of its chain (D66)',
  form: wholeNumber(1, 30),
  notation: 'number',
  default: 5,
  optional: true,
  inDeployment: 'followPollSeconds',
} as const satisfies Setting

export const FOLLOW_LOGS_PER_MINUTE = {
  meaning:
    'the events of a contract in a minute above which the contract is not followed for an hour, so that its NFTs are read from the indexer (D66)',
  form: wholeNumber(1, 10_000),
  notation: 'number',
  default: 600,
  optional: true,
  inDeployment: 'followLogsPerMinute',
} as const satisfies Setting

export const REGISTRATIONS_PER_HOUR = limitSetting(
  'registrationsPerHour',
  'the products that can be registered in an hour',
)

export const REGISTRATIONS_PER_ADDRESS_AND_HOUR = limitSetting(
  'registrationsPerAddressAndHour',
  'the same for one source address, or for a network `/64` of IPv6',
)

export const PLAYER_TOKENS_PER_USER_AND_HOUR = limitSetting(
  'playerTokensPerUserAndHour',
  'the player tokens that a user can get in an hour',
)

export const PLAYER_DETAILS_PER_PLAYER_AND_MINUTE = limitSetting(
  'playerDetailsPerPlayerAndMinute',
  'the requests for the details of a player in a minute',
)

export const CLIENT_READS_PER_PLAYER_AND_MINUTE = limitSetting(
  'clientReadsPerPlayerAndMinute',
  "the requests of games without an API key for a player's NFTs in a minute",
)

export const INDEXER_CALLS_PER_PRODUCT_AND_MINUTE = limitSetting(
  'indexerCallsPerProductAndMinute',
  'the calls to the indexer that a product can cause in a minute',
)

export const INDEXER_CALLS_PER_PRODUCT_AND_DAY = limitSetting(
  'indexerCallsPerProductAndDay',
  'the calls to the indexer that a product can cause in a day',
)

export const CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_MINUTE = limitSetting(
  'clientIndexerCallsPerProductAndMinute',
  'the calls to the indexer that games without an API key can cause for a product in a minute',
)

export const CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_DAY = limitSetting(
  'clientIndexerCallsPerProductAndDay',
  'the calls to the indexer that games without an API key can cause for a product in a day',
)

export const ALLOWLISTED_NFTS_PER_PRODUCT_AND_MINUTE = limitSetting(
  'allowlistedNftsPerProductAndMinute',
  'the token identifiers that a product can allowlist in a minute',
)

export const NFTS_PER_PRODUCT = limitSetting(
  'nftsPerProduct',
  'the NFTs on all allowlists of a product together',
)

export const NEW_KEYS_PER_PRODUCT_AND_DAY = limitSetting(
  'newKeysPerProductAndDay',
  'the API keys that a product can create in a day, also by rotating keys',
)

export const REFRESHED_NFTS = limitSetting('refreshedNfts', 'the NFTs that one refresh checks')
