import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { LambdaHost } from '@player-nfts/local/lambda/lambda-host'
import { sampleWorld } from '@player-nfts/local/samples/sample-world'
import type { OperationId } from '../../../functions/operations.ts'
import { storedKeysIn } from '../aws/stored-keys.ts'
import { startTestAws } from '../aws/test-aws.ts'
import { type Faults, type ProxiedRequest, startFaultProxy } from '../proxies/fault-proxy.ts'
import type { Sent } from '../requests/client.ts'
import { acceptedBy } from '../requests/invoke-function.ts'
import { atFileEnd } from '../vitest/at-file-end.ts'
import { startContainers, withStillClock, withVariables } from './containers.ts'
import { type OwnService, startOwnService, startTestIndexer } from './own-service.ts'

/** The number of requests by name: `GetItem`, `Sign`, `getNFTsForOwner`, … */
export type RequestCounts = Record<string, number>

/** A service, and additional functions whose requests to AWS and the indexer are counted. */
export type CountedService = Awaited<ReturnType<typeof startCountedService>>

export const nameOf = ({ service, action, body, path }: ProxiedRequest): string =>
  service === 'HTTP' ? (body.method ?? path.split('?')[0]?.split('/').at(-1)) : action

/** Starts a counted service. Ends with the test file. */
export async function startCountedService(dataDir?: string) {
  const aws = await startTestAws(dataDir)
  const world = sampleWorld()
  const { url: target } = await startTestIndexer(world, atFileEnd)
  const indexer = await startFaultProxy({ target }, atFileEnd)
  const consumed = new Map<ProxiedRequest, number>()
  const counting: Faults = {
    extend: ({ service }) => service === 'DynamoDB' && { ReturnConsumedCapacity: 'TOTAL' },
    onResponse(request, { body }) {
      if (request.service === 'DynamoDB') consumed.set(request, unitsIn(String(body)))
      return undefined
    },
  }
  aws.interfere(counting)
  const service = await startOwnService(
    { AWS_ENDPOINT_URL: aws.access.endpoint ?? '', INDEXER_URL: target },
    atFileEnd,
  )
  const keys = storedKeysIn(service.stack.aws, service.stack.resources.tableName)
  const seen = {
    AWS_ENDPOINT_URL: aws.proxy.url,
    INDEXER_URL: indexer.url,
    QUEUE_URL: await queueWithoutReader(service),
  }
  const requests = () =>
    [...aws.proxy.requests, ...indexer.requests].filter(({ attempt }) => attempt === 1)
  const functionsWith = (variables: Record<string, string> = {}) =>
    withVariables(service.stack.functions, { ...seen, ...variables })
  const requestsOf = async (run: () => Promise<unknown>) => {
    const before = new Set(requests())
    await run()
    return requests().filter((request) => !before.has(request))
  }
  const countsOf = async (run: () => Promise<unknown>) => countsIn(await requestsOf(run))
  return {
    ...service,
    /**
     * Registers a new product whose API key is used without a write, on every day: the first use on a day makes a write, which tests
     * of D46 count.
     */
    async newProduct() {
      const apiKey = await service.newProduct()
      const { keyId } = await keys.find(apiKey)
      await keys.setKey(apiKey, keyId, { lastUsedOn: '9999-12-31' })
      return apiKey
    },
    /** The data of the indexer; the samples at first. */
    world,
    /** The URL of the indexer itself, which counts nothing. */
    indexerUrl: target,
    /**
     * The counted functions. Nothing receives their messages from the queue. `variables` override those of the
     * service.
     */
    functionsWith,
    /**
     * New containers of all counted functions, before their first calls. `stillAt`: where their clock stands still, in
     * milliseconds since 1970; by default, it goes.
     */
    newContainers(variables?: Record<string, string>, stillAt?: number) {
      const going = functionsWith(variables)
      return startContainers(stillAt === undefined ? going : withStillClock(going, stillAt))
    },
    /**
     * Counts the requests of those functions while `run` runs. Retries do not count, because on a slow
     * machine the SDK may retry a request that takes 3 s.
     */
    countsOf,
    /** The requests of each of these calls in turn, which must be accepted. */
    async countsOfCalls(host: LambdaHost, id: OperationId, calls: readonly Sent[]) {
      const counts: RequestCounts[] = []
      for (const sent of calls) counts.push(await countsOf(() => acceptedBy(host, id, sent)))
      return counts
    },
    /** The counts, with the request units of the table as DynamoDB reports them. */
    async useOf(run: () => Promise<unknown>) {
      const made = await requestsOf(run)
      const units = { read: 0, write: 0 }
      for (const request of made) {
        const isRead = /^(Get|BatchGet|Query)/.test(request.action)
        units[isRead ? 'read' : 'write'] += consumed.get(request) ?? 0
      }
      return { counts: countsIn(made), units }
    },
    /** The messages that they have sent to the queue so far, in the form that the worker receives. */
    messages: () => messagesIn(requests()),
    /** Calls this function before each of their requests is passed on. */
    interfere(onRequest: NonNullable<Faults['onRequest']>) {
      aws.interfere({ ...counting, onRequest })
      indexer.interfere({ onRequest })
    },
  }
}

/** The request units in a response. A Query without results takes one, where dynalite reports none. */
function unitsIn(body: string): number {
  const { ConsumedCapacity = [] } = JSON.parse(body)
  const [{ CapacityUnits = 0 } = {}] = [ConsumedCapacity].flat()
  return CapacityUnits || 1
}

/** The number of these requests by name. */
export function countsIn(requests: readonly ProxiedRequest[]): RequestCounts {
  const counts: RequestCounts = {}
  for (const request of requests) {
    const name = nameOf(request)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** The messages that these requests send to queues. */
export const messagesIn = (requests: readonly ProxiedRequest[]): string[] =>
  requests.filter(({ action }) => action === 'SendMessage').map(({ body }) => body.MessageBody)

/** Creates a queue that the service's own worker does not receive from. */
async function queueWithoutReader({ stack }: OwnService): Promise<string> {
  const client = new SQSClient(stack.aws)
  try {
    const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName: 'unread' }))
    return QueueUrl
  } finally {
    client.destroy()
  }
}
