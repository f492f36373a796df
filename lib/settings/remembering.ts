import type { Chain } from '../domain/nft/chain.ts'
import type { RememberingSettings } from '../domain/reading/freshness.ts'
import { part } from './part.ts'
import {
  FOLLOWED_CHAINS,
  REMEMBER_FOLLOWED_SECONDS,
  REMEMBER_SECONDS,
  SETTLING_SECONDS,
} from './setting-table.ts'

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
