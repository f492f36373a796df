import type { FollowSettings } from '../domain/following/take-step.ts'
import type { Chain } from '../domain/nft/chain.ts'
import type { RememberingSettings } from '../domain/reading/freshness.ts'
import { followedChainList, wholeNumber } from './forms.ts'
import { part } from './part.ts'
import type { Setting } from './setting.ts'

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
    "the chains whose transfers are followed, so that answers about a player's NFTs are remembered until an NFT moves; a chain that is always read costs about 28 dollars a month, and the follower of all chains 10 (D66)",
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
  meaning:
    'the seconds between two questions of the follower for new blocks of a chain that is read (D66)',
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

export const WEBHOOK_CONTRACTS = {
  meaning:
    'the most contracts of a product on followed chains whose events it can read; the chains of these contracts are always polled every `followPollSeconds` (D119)',
  form: wholeNumber(0, 100),
  notation: 'number',
  default: 20,
  optional: true,
  inDeployment: 'webhookContracts',
} as const satisfies Setting

/** The events of products (D119). */
export const nftEventSettings = part({ FOLLOWED_CHAINS, WEBHOOK_CONTRACTS }, (env) => ({
  followedChains: env.FOLLOWED_CHAINS ?? [],
  webhookContracts: env.WEBHOOK_CONTRACTS,
}))

/** How old remembered answers may be, and the chains that are followed (D65, D66). */
export const rememberingSettings = part(
  { REMEMBER_SECONDS, FOLLOWED_CHAINS, REMEMBER_FOLLOWED_SECONDS, SETTLING_SECONDS },
  (env): RememberingSettings & { followedChains: readonly Chain[] } => ({
    rememberSeconds: env.REMEMBER_SECONDS,
    followedChains: env.FOLLOWED_CHAINS ?? [],
    rememberFollowedSeconds: env.REMEMBER_FOLLOWED_SECONDS,
    settlingSeconds: env.SETTLING_SECONDS,
  }),
)

/** How old remembered balances may be, in seconds (D65). */
export const balanceSettings = part({ REMEMBER_SECONDS }, (env) => ({
  rememberSeconds: env.REMEMBER_SECONDS,
}))

/** The chains that are followed, and how (D66). */
export const followSettings = part(
  { FOLLOWED_CHAINS, FOLLOW_POLL_SECONDS, FOLLOW_LOGS_PER_MINUTE, SETTLING_SECONDS },
  (env): FollowSettings & { followedChains: readonly Chain[] } => ({
    followedChains: env.FOLLOWED_CHAINS ?? [],
    followPollSeconds: env.FOLLOW_POLL_SECONDS,
    followLogsPerMinute: env.FOLLOW_LOGS_PER_MINUTE,
    settlingSeconds: env.SETTLING_SECONDS,
  }),
)
