import type { FollowSettings } from '../domain/following/take-step.ts'
import type { Chain } from '../domain/nft/chain.ts'
import { followedChainList, wholeNumber } from './forms.ts'
import { part } from './part.ts'
import type { Setting } from './setting.ts'

export const FOLLOWED_CHAINS = {
  meaning:
    'the chains whose events are followed, so that who holds the NFTs of contracts in use is kept and reads of them ask no indexer; a chain that is always read costs about 28 dollars a month, and the follower of all chains 10 (D152)',
  form: followedChainList,
  optional: true,
  inDeployment: 'followedChains',
} as const satisfies Setting

export const SETTLING_SECONDS = {
  meaning:
    'the most seconds by which the nodes and the data of the indexer can be behind the block that one of them states (D152)',
  form: wholeNumber(0, 3_600),
  default: 30,
  optional: true,
  inDeployment: 'settlingSeconds',
} as const satisfies Setting

export const FOLLOW_POLL_SECONDS = {
  meaning:
    'the seconds between two questions of the follower for new blocks of a chain that is read (D152)',
  form: wholeNumber(1, 30),
  default: 5,
  optional: true,
  inDeployment: 'followPollSeconds',
} as const satisfies Setting

export const FOLLOW_LOGS_PER_MINUTE = {
  meaning:
    'the events of a contract in a minute above which the contract is not followed for an hour, so that its NFTs are read from the indexer (D152)',
  form: wholeNumber(1, 10_000),
  default: 600,
  optional: true,
  inDeployment: 'followLogsPerMinute',
} as const satisfies Setting

export const WEBHOOK_CONTRACTS = {
  meaning:
    'the most contracts of a product on followed chains whose events it can read; the chains of these contracts are always polled every `followPollSeconds` (D119)',
  form: wholeNumber(0, 100),
  default: 20,
  optional: true,
  inDeployment: 'webhookContracts',
} as const satisfies Setting

/** The events of products (D119). */
export const nftEventSettings = part({ FOLLOWED_CHAINS, WEBHOOK_CONTRACTS }, (env) => ({
  followedChains: env.FOLLOWED_CHAINS ?? [],
  webhookContracts: env.WEBHOOK_CONTRACTS,
}))

/** The chains that are followed, and how (D152). */
export const followSettings = part(
  { FOLLOWED_CHAINS, FOLLOW_POLL_SECONDS, FOLLOW_LOGS_PER_MINUTE, SETTLING_SECONDS },
  (env): FollowSettings & { followedChains: readonly Chain[] } => ({
    followedChains: env.FOLLOWED_CHAINS ?? [],
    followPollSeconds: env.FOLLOW_POLL_SECONDS,
    followLogsPerMinute: env.FOLLOW_LOGS_PER_MINUTE,
    settlingSeconds: env.SETTLING_SECONDS,
  }),
)
