import type { FollowSettings } from '../domain/following/follow-step.ts'
import { part } from './part.ts'
import { FOLLOW_LOGS_PER_MINUTE, FOLLOW_POLL_SECONDS, SETTLING_SECONDS } from './setting-table.ts'

/** How chains are followed (D66). */
export const followSettings = part(
  { FOLLOW_POLL_SECONDS, FOLLOW_LOGS_PER_MINUTE, SETTLING_SECONDS },
  (env): FollowSettings => ({
    followPollSeconds: env.FOLLOW_POLL_SECONDS,
    followLogsPerMinute: env.FOLLOW_LOGS_PER_MINUTE,
    settlingSeconds: env.SETTLING_SECONDS,
  }),
)
