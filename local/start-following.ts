import { followerName } from '../lib/contract/follower-name.ts'
import type { LambdaHost } from './lambda/lambda-host.ts'
import { type Schedule, type ScheduleOptions, startSchedule } from './lambda/schedule.ts'
import { followedChains, type LocalSettings } from './settings.ts'

/**
 * Starts the function that follows all chains once a minute, as the deployment does (D66), unless there is no chain to
 * follow. `log` receives a line for each call that fails.
 */
export function startFollowing(
  settings: LocalSettings,
  lambda: LambdaHost,
  log?: ScheduleOptions['log'],
): Schedule {
  if (followedChains(settings).length === 0) return { close: () => undefined }
  return startSchedule({
    name: followerName,
    invoke: () => lambda.invoke(followerName, {}),
    ...(log && { log }),
  })
}
