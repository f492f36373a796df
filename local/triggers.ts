import { workerName } from '../infra/bundle/bundle.ts'
import { delivererName, followerName, sweepOfWebhooks } from '../lib/contract/background-names.ts'
import type { AwsAccess } from './aws/aws-access.ts'
import type { Resources } from './aws/provision.ts'
import { startEventSource } from './lambda/event-source.ts'
import type { LambdaHost } from './lambda/lambda-host.ts'
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
) {
  const ofWebhooks = { functionName: delivererName, batchSize: 1 }
  const queues = [
    { queueUrl: resources.queueUrl, functionName: workerName },
    { queueUrl: resources.webhookQueueUrl, concurrency: deliveries, ...ofWebhooks },
    { queueUrl: resources.webhookTestQueueUrl, concurrency: tests, ...ofWebhooks },
  ]
  const sources = queues.map(({ functionName, ...queue }) =>
    startEventSource({
      ...{ ...aws, ...queue, ...(log && { log }) },
      invoke: (event) => lambda.invoke(functionName, event),
    }),
  )
  return {
    async close() {
      await Promise.all(sources.map((source) => source.close()))
    },
  }
}

const scheduled = [
  [followerName, {}],
  [delivererName, sweepOfWebhooks],
] as const

/**
 * Unless there is no chain to follow, calls the function that follows all chains (D152) and the sweep of the webhooks (D122) now
 * and then once a minute, whether or not the calls before have ended. Unlike EventBridge, it makes the first calls at once, and
 * does not repeat a call that fails: `log` receives a line for it. `close` does not wait for calls in progress, of whose end
 * nothing is said.
 */
export function startSchedules(
  settings: LocalSettings,
  lambda: Pick<LambdaHost, 'invoke'>,
  log: (line: string) => void = console.error,
  intervalMilliseconds = 60_000,
): { close(): void } {
  const events = followedChains(settings).length > 0 ? scheduled : []
  let isClosed = false
  const call = async ([name, event]: (typeof scheduled)[number]) => {
    const result = await lambda.invoke(name, event)
    if (!result.ok && !isClosed) log(`${name}: ${result.errorType}: ${result.message}`)
  }
  const callAll = () => void Promise.all(events.map(call))
  callAll()
  const timer = setInterval(callAll, intervalMilliseconds)
  return {
    close() {
      isClosed = true
      clearInterval(timer)
    },
  }
}
