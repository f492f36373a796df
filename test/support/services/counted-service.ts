import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs'
import { createWorld, type World } from '../../../local/indexer/world.ts'
import type { LambdaFunction } from '../../../local/lambda/lambda-function.ts'
import { type LambdaHost, startLambdaHost } from '../../../local/lambda/lambda-host.ts'
import { startTestAws } from '../aws/test-aws.ts'
import {
  type FaultProxyOptions,
  type ProxiedRequest,
  startFaultProxy,
} from '../proxies/fault-proxy.ts'
import { atFileEnd } from '../vitest/at-file-end.ts'
import { type OwnService, startOwnService, startTestIndexer } from './own-service.ts'

/** How often each thing was asked for, by its name: `GetItem`, `Sign`, `getNFTsForOwner`, … */
export type RequestCounts = Record<string, number>

/** A service, and beside it functions whose every request to AWS and the indexer is seen. */
export interface CountedService extends OwnService {
  /** What the indexer answers from; empty at first. */
  world: World
  /**
   * The functions, to be seen. What they send to the queue stays there. Further variables go over the
   * service's own.
   */
  functionsWith(variables?: Record<string, string>): Record<string, LambdaFunction>
  /** Containers of all of them that have not been called yet. */
  newContainers(variables?: Record<string, string>): LambdaHost
  /**
   * The requests of those functions while something runs. Retries do not count, because on a slow
   * machine the SDK may retry a request that takes 3 s.
   */
  countsOf(run: () => Promise<unknown>): Promise<RequestCounts>
  /** The messages that they have sent to the queue so far, as the worker is given them. */
  messages(): string[]
  /** Has each of their requests judged before it is passed on. */
  interfere(onRequest: Judge): void
}

type Judge = NonNullable<FaultProxyOptions['onRequest']>

/** What a request asks for. */
export const nameOf = ({ service, action, body, path }: ProxiedRequest): string =>
  service === 'HTTP' ? (body.method ?? path.split('?')[0]?.split('/').at(-1)) : action

/** Starts a service that can be counted. Ends with the test file. */
export async function startCountedService(dataDir?: string): Promise<CountedService> {
  const aws = await startTestAws(dataDir)
  const world = createWorld()
  const { url: target } = await startTestIndexer(world, atFileEnd)
  let judge: Judge = () => undefined
  const onRequest: Judge = (request) => judge(request)
  const indexer = await startFaultProxy({ target, onRequest }, atFileEnd)
  aws.interfere({ onRequest })
  const service = await startOwnService(
    { AWS_ENDPOINT_URL: aws.access.endpoint ?? '', INDEXER_URL: target },
    atFileEnd,
  )
  const seen = {
    AWS_ENDPOINT_URL: aws.proxy.url,
    INDEXER_URL: indexer.url,
    QUEUE_URL: await queueWithoutReader(service),
  }
  const requests = () =>
    [...aws.proxy.requests, ...indexer.requests].filter(({ attempt }) => attempt === 1)
  const functionsWith: CountedService['functionsWith'] = (variables) => {
    const functions = Object.entries(service.stack.functions).map(([name, definition]) => {
      const env = { ...definition.env, ...seen, ...variables }
      return [name, { ...definition, env }] as const
    })
    return Object.fromEntries(functions)
  }
  return {
    ...service,
    world,
    functionsWith,
    newContainers(variables) {
      const functions = functionsWith(variables)
      const host = startLambdaHost({ functions, log: () => undefined })
      atFileEnd(() => host.close())
      return host
    },
    async countsOf(run) {
      const before = new Set(requests())
      await run()
      return countsIn(requests().filter((request) => !before.has(request)))
    },
    messages: () =>
      requests()
        .filter(({ action }) => action === 'SendMessage')
        .map(({ body }) => body.MessageBody),
    interfere: (next) => {
      judge = next
    },
  }
}

function countsIn(requests: readonly ProxiedRequest[]): RequestCounts {
  const counts: RequestCounts = {}
  for (const request of requests) {
    const name = nameOf(request)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** Makes a queue that the service's own worker knows nothing of. */
async function queueWithoutReader({ stack }: OwnService): Promise<string> {
  const client = new SQSClient(stack.aws)
  try {
    const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName: 'unread' }))
    return QueueUrl
  } finally {
    client.destroy()
  }
}
