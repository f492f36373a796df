import { BatchGetItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { numbers } from '@player-nfts/local/samples'
import { afterAll, describe, expect, test } from 'vitest'
import { acceptedRequest } from '../support/accepted-requests.ts'
import { storedKeysIn } from '../support/aws/stored-keys.ts'
import { countsIn } from '../support/data/metric-documents.ts'
import type { Fault, ProxiedRequest } from '../support/proxies/fault-proxy.ts'
import { allowedTokenIds, allowlistingBody } from '../support/requests/allowlists.ts'
import type { Received } from '../support/requests/client.ts'
import { lineOf } from '../support/requests/log-lines.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startFaultyService } from '../support/services/faulty-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startFaultyService()
const store = new DynamoDBClient(service.aws.access)
afterAll(() => store.destroy())

/** Allowlists NFTs of a contract that is new to a new product. */
const newAllowlisting = async (tokens: readonly string[]) => ({
  apiKey: await service.newProduct(),
  body: allowlistingBody({ contractAddress: newAddress(), tokens }),
})

test('D152: a player who is read with the product and left unprocessed: a product that refuses is answered, and another is 503', async () => {
  type Key = Record<string, { S: string }>
  const isProduct = ({ pk }: Key) => pk?.S.startsWith('PRODUCT#')
  service.aws.interfere({
    async onRequest({ action, body }) {
      if (action !== 'BatchGetItem') return undefined
      const [[table = '', { Keys = [], ...how } = {}] = []] = Object.entries<{ Keys?: Key[] }>(
        body.RequestItems,
      )
      const UnprocessedKeys = { [table]: { ...how, Keys: Keys.filter((key) => !isProduct(key)) } }
      const processed = Keys.filter(isProduct)
      if (processed.length === 0) return { status: 200, body: { Responses: {}, UnprocessedKeys } }
      const RequestItems = { [table]: { ...how, Keys: processed } }
      const { Responses } = await store.send(new BatchGetItemCommand({ RequestItems }))
      return { status: 200, body: { Responses, UnprocessedKeys } }
    },
  })
  const { resources, aws } = service.stack
  const request = await acceptedRequest(service, 'getRawMetadata')
  expectProblem(await service.call('GET /player/tokens/raw', request), 'service_unavailable')
  const stoppedAt = new Date().toISOString()
  await storedKeysIn(aws, resources.tableName).setProduct(request.apiKey ?? '', { stoppedAt })
  expectProblem(await service.call('GET /player/tokens/raw', request), 'product_stopped')
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
