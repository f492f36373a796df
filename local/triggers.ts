import { workerName } from '../infra/bundle/bundle.ts'
import { delivererName, followerName, sweepOfWebhooks } from '../lib/contract/background-names.ts'
import type { AwsAccess } from './aws/aws-access.ts'
import type { Resources } from './aws/provision.ts'
import { startEventSource } from './lambda/event-source.ts'
import type { LambdaHost } from './lambda/lambda-host.ts'
import { type Schedule, type ScheduleOptions, startSchedule } from './lambda/schedule.ts'
import { followedChains, type LocalSettings } from './settings.ts'

/** How many deliveries to webhooks, and how many tests of them, are made at a time. */
export const deliveries = 5
const tests = 2

/** Passes the messages of the queues to the functions that process them, until `close` ends it. */
export function startEventSources(
  aws: AwsAccess,
  resources: Resources,
  lambda: LambdaHost,
  log?: (line: string) => void,
): { close(): Promise<void> } {
  const common = { ...aws, ...(log && { log }) }
  const sources = [
    startEventSource({
      ...{ ...common, queueUrl: resources.queueUrl },
      invoke: (event) => lambda.invoke(workerName, event),
    }),
    ...[
      { queueUrl: resources.webhookQueueUrl, concurrency: deliveries },
      { queueUrl: resources.webhookTestQueueUrl, concurrency: tests },
    ].map((queue) =>
      startEventSource({
        ...{ ...common, ...queue, batchSize: 1 },
        invoke: (event) => lambda.invoke(delivererName, event),
      }),
    ),
  ]
  return {
    async close() {
      await Promise.all(sources.map((source) => source.close()))
    },
  }
}

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

const scheduled = [
  [followerName, {}],
  [delivererName, sweepOfWebhooks],
] as const
