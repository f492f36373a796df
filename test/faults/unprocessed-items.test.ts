import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb'
import { numbers } from '@player-nfts/local/samples'
import { afterAll, describe, expect, test } from 'vitest'
import { acceptedRequest } from '../support/accepted-requests.ts'
import { storedKeysIn } from '../support/aws/stored-keys.ts'
import { countsIn } from '../support/data/metric-documents.ts'
import type { Fault, ProxiedRequest } from '../support/proxies/fault-proxy.ts'
import { allowedTokenIds, allowlistingBody } from '../support/requests/allowlists.ts'
import { type Received, withoutTime } from '../support/requests/client.ts'
import { lineOf } from '../support/requests/log-lines.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startFaultyService } from '../support/services/faulty-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startFaultyService()
const store = new DynamoDBClient(service.aws.access)
afterAll(() => store.destroy())

/** Replaces the responses to requests of this action, and returns the number of items in each request. */
function answerBatches(
  action: 'BatchWriteItem' | 'BatchGetItem',
  answer: (request: ProxiedRequest) => Fault | Promise<Fault>,
): number[] {
  const sizes: number[] = []
  service.aws.interfere({
    onRequest: (request) => {
      if (request.action !== action) return undefined
      const [batch] = Object.values<unknown[] | { Keys: unknown[] }>(request.body.RequestItems)
      sizes.push((Array.isArray(batch) ? batch : batch?.Keys)?.length ?? 0)
      return answer(request)
    },
  })
  return sizes
}

/** Allowlists NFTs of a contract that is new to a new product. */
const newAllowlisting = async (tokens: readonly string[]) => ({
  apiKey: await service.newProduct(),
  body: allowlistingBody({ contractAddress: newAddress(), tokens }),
})

const says = (body: unknown): Fault => ({ status: 200, body })

/** Carries out the first five writes of a batch and leaves the others unprocessed. */
async function writeFive({ body }: ProxiedRequest): Promise<Fault> {
  const [[table = '', writes = []] = []] = Object.entries<never[]>(body.RequestItems)
  const RequestItems = { [table]: writes.slice(0, 5) }
  await store.send(new BatchWriteItemCommand({ RequestItems }))
  const rest = writes.slice(5)
  return says({ UnprocessedItems: rest.length > 0 ? { [table]: rest } : {} })
}

test('D17: writes that DynamoDB leaves unprocessed are retried alone, until all are written', async () => {
  const tokens = numbers(1, 60)
  const request = await newAllowlisting(tokens)
  const sizes = answerBatches('BatchWriteItem', writeFive)
  const answer = await service.call('POST /product/tokens', request)
  expect(answer.json.data).toHaveLength(60)
  expect(sizes.sort((a, b) => b - a)).toEqual([25, 25, 20, 20, 15, 15, 10, 10, 10, 5, 5, 5])
  expect(await allowedTokenIds(service.call, request.apiKey)).toEqual(tokens)
})

describe('D24: reads that DynamoDB leaves unprocessed', () => {
  type Key = Record<string, { S: string }>

  /** Reads the keys of a batch that are chosen, and leaves the others unprocessed. */
  const reading =
    (choose: (keys: Key[]) => Key[]) =>
    async ({ body }: ProxiedRequest): Promise<Fault> => {
      const [[table = '', { Keys = [], ...how } = {}] = []] = Object.entries<{ Keys?: Key[] }>(
        body.RequestItems,
      )
      const processed = choose(Keys)
      const left = Keys.filter((key) => !processed.includes(key))
      const UnprocessedKeys = left.length > 0 ? { [table]: { ...how, Keys: left } } : {}
      if (processed.length === 0) return says({ Responses: {}, UnprocessedKeys })
      const RequestItems = { [table]: { ...how, Keys: processed } }
      const { Responses } = await store.send(new BatchGetItemCommand({ RequestItems }))
      return says({ Responses, UnprocessedKeys })
    }

  test.each(['/player/tokens', '/player/tokens/raw'])(
    '%s: the response is complete',
    async (path) => {
      const request = await acceptedRequest(service, 'getRawMetadata')
      const undisturbed = await service.call(`GET ${path}`, request)
      const sizes = answerBatches(
        'BatchGetItem',
        reading((keys) => keys.slice(0, 1)),
      )
      const { text } = await service.call(`GET ${path}`, request)
      expect(withoutTime(text)).toBe(withoutTime(undisturbed.text))
      expect(Math.max(...sizes)).toBeGreaterThan(1)
      expect(Math.min(...sizes)).toBe(1)
    },
  )

  const products = (keys: Key[]) => keys.filter(({ pk }) => pk?.S.startsWith('PRODUCT#'))

  test('D152: of the player, who is read with the product: a product that refuses is answered, and another is 503', async () => {
    const { resources, aws } = service.stack
    const request = await acceptedRequest(service, 'getRawMetadata')
    answerBatches('BatchGetItem', reading(products))
    expectProblem(await service.call('GET /player/tokens/raw', request), 'service_unavailable')
    const stoppedAt = new Date().toISOString()
    await storedKeysIn(aws, resources.tableName).setProduct(request.apiKey ?? '', { stoppedAt })
    expectProblem(await service.call('GET /player/tokens/raw', request), 'product_stopped')
  })
})

/**
 * The response of DynamoDB to a batch of which it can process no item: it throttles the whole batch.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
 */
const throttled = (name: string): Fault => ({
  status: 400,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'not now' },
})

const names = [
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
]

/**
 * Throttles each batch this many times; counts these attempts and the requests that are
 * passed on, which the SDK can repeat on a busy machine.
 */
function throttleBatches(
  action: string,
  fault: Fault,
  { times }: { times: number },
): { sent: number } {
  const count = { sent: 0 }
  const seen = new Map<string, number>()
  const passedOn = new Set<string>()
  service.aws.interfere({
    onRequest: (request: ProxiedRequest) => {
      if (request.action !== action) return undefined
      const said = JSON.stringify(request.body)
      const before = seen.get(said) ?? 0
      seen.set(said, before + 1)
      const isThrottled = before < times
      if (isThrottled || !passedOn.has(request.id)) count.sent += 1
      if (isThrottled) return fault
      passedOn.add(request.id)
      return undefined
    },
  })
  return count
}

/** The calls to DynamoDB in the log line of a request. */
const callsOf = async (answer: Received) => countsIn(await lineOf(service.log, answer))

describe('D17: batches of writes that DynamoDB throttles', () => {
  test.each(names)('%s: they are retried until all items are written', async (name) => {
    const tokens = numbers(1, 60)
    const request = await newAllowlisting(tokens)
    const batches = throttleBatches('BatchWriteItem', throttled(name), { times: 3 })
    const answer = await service.call('POST /product/tokens', request)
    expect(answer.status, answer.text).toBe(200)
    expect(batches.sent).toBe(3 * 4)
    expect(await allowedTokenIds(service.call, request.apiKey)).toEqual(tokens)
  })

  test('permanently: 503 after eight attempts, and a repetition writes exactly the requested NFTs', async () => {
    const tokens = numbers(1, 60)
    const request = await newAllowlisting(tokens)
    const fault = throttled('ProvisionedThroughputExceededException')
    const batches = throttleBatches('BatchWriteItem', fault, { times: Number.POSITIVE_INFINITY })
    const answer = await service.call('POST /product/tokens', request)
    expectProblem(answer, 'service_unavailable')
    expect(batches.sent).toBe(3 * 8)
    expect(await callsOf(answer)).toMatchObject({ dynamodbFailures: 3 })
    service.aws.interfere({})
    expect(await allowedTokenIds(service.call, request.apiKey)).toEqual([])
    expect((await service.call('POST /product/tokens', request)).status).toBe(200)
    expect(await allowedTokenIds(service.call, request.apiKey)).toEqual(tokens)
  })
})
