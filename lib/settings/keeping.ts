import { FOLLOWED_CHAINS } from './following.ts'
import { wholeNumber } from './forms.ts'
import { part } from './part.ts'
import type { Setting } from './setting.ts'

export const KEPT_CONTRACTS = {
  meaning:
    'the contracts of a product on followed chains of which it is kept who holds their NFTs: the first ones of its list; `0` keeps none (D153)',
  form: wholeNumber(0, 100),
  default: 50,
  optional: true,
  inDeployment: 'keptContracts',
} as const satisfies Setting

export const KEPT_TOKENS = {
  meaning:
    'the most NFTs of a contract of which it is kept who holds them; one that has more is read from the indexer (D153)',
  form: wholeNumber(1, 10_000_000),
  default: 1_000_000,
  optional: true,
  inDeployment: 'keptTokens',
} as const satisfies Setting

export const METADATA_SECONDS = {
  meaning:
    'the age of the metadata of an NFT of a kept contract, in seconds, after which it is asked for again in the background once it is shown (D155)',
  form: wholeNumber(900, 31_536_000),
  default: 604_800,
  optional: true,
  inDeployment: 'metadataSeconds',
} as const satisfies Setting

export const KEPT_FROM_READS = {
  meaning:
    'the reads of a contract in a day with which it begins to be kept who holds its NFTs (D153)',
  form: wholeNumber(1, 1_000_000),
  default: 10,
  optional: true,
} as const satisfies Setting

export const OWNERS_LAG_SECONDS = {
  meaning:
    'the most seconds by which the owners of a contract that the indexer lists can be behind the block that it states (D153)',
  form: wholeNumber(0, 3_600),
  default: 600,
  optional: true,
} as const satisfies Setting

/** What the reads of a player's NFTs need to know of what is kept. */
export const keepingSettings = part(
  { FOLLOWED_CHAINS, KEPT_CONTRACTS, KEPT_FROM_READS, METADATA_SECONDS },
  (env) => ({
    keptChains: env.KEPT_CONTRACTS > 0 ? (env.FOLLOWED_CHAINS ?? []) : [],
    keptContracts: env.KEPT_CONTRACTS,
    keptFromReads: env.KEPT_FROM_READS,
    metadataSeconds: env.METADATA_SECONDS,
  }),
)

/** What the follower of chains needs to know of what is kept. */
export const followerKeepingSettings = part({ KEPT_CONTRACTS }, (env) => ({
  isKeeping: env.KEPT_CONTRACTS > 0,
}))

/** What the worker needs to know of what is kept. */
export const upkeepSettings = part(
  { FOLLOWED_CHAINS, KEPT_CONTRACTS, KEPT_TOKENS, OWNERS_LAG_SECONDS },
  (env) => ({
    keptChains: env.KEPT_CONTRACTS > 0 ? (env.FOLLOWED_CHAINS ?? []) : [],
    keptTokens: env.KEPT_TOKENS,
    ownersLagSeconds: env.OWNERS_LAG_SECONDS,
  }),
)
