import { delivererName, followerName, sweepOfWebhooks } from '../lib/contract/background-names.ts'
import type { LambdaHost } from './lambda/lambda-host.ts'
import { type Schedule, type ScheduleOptions, startSchedule } from './lambda/schedule.ts'
import { followedChains, type LocalSettings } from './settings.ts'

/**
 * Starts the function that follows all chains (D152) and the sweep of the webhooks (D122) once a minute, unless there is no chain to
 * follow. `log` receives a line for each call that fails.
 */
export function startSchedules(
  settings: LocalSettings,
  lambda: LambdaHost,
  log?: ScheduleOptions['log'],
): Schedule {
  const events = followedChains(settings).length > 0 ? scheduled : []
  const schedules = events.map(([name, event]) =>
    startSchedule({ name, invoke: () => lambda.invoke(name, event), ...(log && { log }) }),
  )
  return {
    close() {
      for (const schedule of schedules) schedule.close()
    },
  }
}

/** The functions of the schedules, with their events. */
const scheduled = [
  [followerName, {}],
  [delivererName, sweepOfWebhooks],
] as const
