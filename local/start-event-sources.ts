import { workerName } from '../infra/bundle/bundle.ts'
import { delivererName } from '../lib/contract/background-names.ts'
import type { AwsAccess } from './aws/aws-access.ts'
import type { Resources } from './aws/provision.ts'
import { startEventSource } from './lambda/event-source.ts'
import type { LambdaHost } from './lambda/lambda-host.ts'

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
