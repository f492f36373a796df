import { followerName } from '../lib/contract/follower-name.ts'
import type { LambdaHost } from './lambda/lambda-host.ts'
import { type Schedule, type ScheduleOptions, startSchedule } from './lambda/schedule.ts'
import { followedChains, type LocalSettings } from './settings.ts'

/**
 * Starts the function that follows a chain once a minute for each followed chain, as the deployment does (D66). `log`
 * receives a line for each call that fails.
 */
export function followChains(
  settings: LocalSettings,
  lambda: LambdaHost,
  log?: ScheduleOptions['log'],
): Schedule {
  const schedules = followedChains(settings).map((chain) =>
    startSchedule({
      name: `${followerName} ${chain}`,
      invoke: () => lambda.invoke(followerName, { chain }),
      ...(log && { log }),
    }),
  )
  return {
    close() {
      for (const schedule of schedules) schedule.close()
    },
  }
}
