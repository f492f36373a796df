import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs'
import { createWorld, type World } from '../../infra/local/indexer/world.ts'
import { type LambdaHost, startLambdaHost } from '../../infra/local/lambda-host.ts'
import { atFileEnd } from './at-file-end.ts'
import { startTestAws } from './aws.ts'
import { type FaultProxyOptions, type ProxiedRequest, startFaultProxy } from './fault-proxy.ts'
import { startTestIndexer, startTestStack, type TestStack } from './stack.ts'

/** How often each thing was asked for, by its name: `GetItem`, `Sign`, `getNFTsForOwner`, … */
export type RequestCounts = Record<string, number>

/** A service, and beside it containers whose every request to AWS and the indexer is seen. */
export interface CountedService extends TestStack {
  /** What the indexer answers from; empty at first. */
  world: World
  /**
   * Containers of all functions that have not been called yet. What they send to the queue stays
   * there. Further variables go over the service's own.
   */
  newContainers(variables?: Record<string, string>): LambdaHost
  /** What is asked for while something runs; nothing else may run beside it. */
  countsOf(run: () => Promise<unknown>): Promise<RequestCounts>
  /** The messages that were sent to the queue so far, as the worker is given them. */
  messages(): string[]
  /** Has each request judged before it is passed on. */
  interfere(onRequest: Judge): void
}

type Judge = NonNullable<FaultProxyOptions['onRequest']>

/** What a request asks for. */
export const nameOf = ({ service, action, body, path }: ProxiedRequest): string =>
  service === 'HTTP' ? (body.method ?? path.split('?')[0]?.split('/').at(-1)) : action

/** Starts a service that can be counted. Ends with the test file. */
export async function startCountedService(): Promise<CountedService> {
  const aws = await startTestAws()
  const world = createWorld()
  const { url: target } = await startTestIndexer(world, atFileEnd)
  let judge: Judge = () => undefined
  const onRequest: Judge = (request) => judge(request)
  const indexer = await startFaultProxy({ target, onRequest }, atFileEnd)
  aws.interfere({ onRequest })
  const service = await startTestStack(
    { AWS_ENDPOINT_URL: aws.proxy.url, INDEXER_URL: indexer.url },
    atFileEnd,
  )
  const queueUrl = await queueWithoutReader(service)
  const asked = () => [...aws.proxy.requests, ...indexer.requests].filter(isOfFunctions)
  return {
    ...service,
    world,
    newContainers(variables) {
      const given = { QUEUE_URL: queueUrl, ...variables }
      const functions = Object.entries(service.stack.functions).map(([name, definition]) => {
        return [name, { ...definition, env: { ...definition.env, ...given } }] as const
      })
      const host = startLambdaHost({
        functions: Object.fromEntries(functions),
        log: () => undefined,
      })
      atFileEnd(() => host.close())
      return host
    },
    async countsOf(run) {
      const before = new Set(asked())
      await run()
      return countsIn(asked().filter((request) => !before.has(request)))
    },
    messages: () =>
      asked()
        .filter(({ action }) => action === 'SendMessage')
        .map(({ body }) => body.MessageBody),
    interfere: (next) => {
      judge = next
    },
  }
}

/** The service's own event source asks for messages all the time. */
const isOfFunctions = ({ action }: ProxiedRequest) => action !== 'ReceiveMessage'

function countsIn(requests: readonly ProxiedRequest[]): RequestCounts {
  const counts: RequestCounts = {}
  for (const request of requests) {
    const name = nameOf(request)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** Makes a queue that the service's own worker knows nothing of. */
async function queueWithoutReader({ stack }: TestStack): Promise<string> {
  const client = new SQSClient(stack.aws)
  try {
    const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName: 'unread' }))
    return QueueUrl
  } finally {
    client.destroy()
  }
}
