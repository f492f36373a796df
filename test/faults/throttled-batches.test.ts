import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { numbers } from '../../local/samples/samples.ts'
import { acceptedRequest } from '../support/accepted-requests.ts'
import { countsIn } from '../support/data/metric-documents.ts'
import type { Fault, ProxiedRequest } from '../support/proxies/fault-proxy.ts'
import { allowedTokenIds, allowlistingBody } from '../support/requests/allowlists.ts'
import type { Received } from '../support/requests/client.ts'
import { lineOf } from '../support/requests/log-lines.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { type FaultyService, startFaultyService } from '../support/services/faulty-service.ts'
import { newAddress } from '../support/services/service.ts'

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

let service: FaultyService

beforeAll(async () => {
  service = await startFaultyService()
})
afterEach(() => service.aws.interfere({}))

/**
 * Throttles each batch, or each of the first batches, this many times; counts these attempts and the requests that are
 * passed on, which the SDK can repeat on a busy machine.
 */
function throttleBatches(
  action: string,
  fault: Fault,
  { times, first = Number.POSITIVE_INFINITY }: { times: number; first?: number },
): { sent: number } {
  const count = { sent: 0 }
  const seen = new Map<string, number>()
  const passedOn = new Set<string>()
  service.aws.interfere({
    onRequest: (request: ProxiedRequest) => {
      if (request.action !== action) return undefined
      const said = JSON.stringify(request.body)
      const before = seen.get(said) ?? (seen.size < first ? 0 : times)
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

const newAllowlisting = async (tokens: readonly string[]) => ({
  apiKey: await service.newProduct(),
  body: allowlistingBody({ contractAddress: newAddress(), tokens }),
})

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

  test('10,000 NFTs, whose first batches are throttled', async () => {
    const tokens = numbers(1, 10_000)
    const request = await newAllowlisting(tokens)
    const fault = throttled('ThrottlingException')
    const batches = throttleBatches('BatchWriteItem', fault, { times: 3, first: 40 })
    const answer = await service.call('POST /product/tokens', request)
    expect(answer.status, answer.text).toBe(200)
    expect(batches.sent).toBe(400 + 40 * 3)
    expect(await callsOf(answer)).toMatchObject({ dynamodbFailures: 0 })
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

describe('D24: batches of reads that DynamoDB throttles', () => {
  test.each(names)('%s: the response is complete', async (name) => {
    const request = await acceptedRequest(service, 'getRawMetadata')
    const read = () => service.call('GET /player/tokens/raw', request)
    const once = throttleBatches('BatchGetItem', throttled(name), { times: 0 })
    const undisturbed = await read()
    const fourTimes = throttleBatches('BatchGetItem', throttled(name), { times: 3 })
    const answer = await read()
    expect(answer.json).toEqual({ ...undisturbed.json, asOf: answer.json.asOf })
    expect(once.sent).toBeGreaterThan(0)
    expect(fourTimes.sent).toBe(once.sent * 4)
    expect(await callsOf(answer)).toMatchObject({ dynamodbFailures: 0 })
  })
})
