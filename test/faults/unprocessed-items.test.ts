import { numbers } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { acceptedRequest } from '../support/accepted-requests.ts'
import { storedKeysIn } from '../support/aws/stored-keys.ts'
import { countsIn } from '../support/data/metric-documents.ts'
import { allowedTokenIds, allowlistingBody } from '../support/requests/allowlists.ts'
import type { Received } from '../support/requests/client.ts'
import { lineOf } from '../support/requests/log-lines.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startFaultyService } from '../support/services/faulty-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startFaultyService()

/** Allowlists NFTs of a contract that is new to a new product. */
const newAllowlisting = async (tokens: readonly string[]) => ({
  apiKey: await service.newProduct(),
  body: allowlistingBody({ contractAddress: newAddress(), tokens }),
})

test('D152: a player who is read with the product and left unprocessed: a product that refuses is answered, and another is 503', async () => {
  type Key = Record<string, { S: string }>
  const isProduct = ({ pk }: Key) => pk?.S.startsWith('PRODUCT#')
  service.aws.interfere({
    onResponse({ action, body }, answer) {
      if (action !== 'BatchGetItem') return undefined
      const [[table = '', { Keys = [] } = {}] = []] = Object.entries<{ Keys?: Key[] }>(
        body.RequestItems,
      )
      const found: Key[] = JSON.parse(String(answer.body)).Responses[table]
      const UnprocessedKeys = { [table]: { Keys: Keys.filter((key) => !isProduct(key)) } }
      const Responses = { [table]: found.filter(isProduct) }
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

const names = [
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
]

/**
 * Has DynamoDB process no item of each batch of writes this many times: it throttles the whole batch. Returns how many batches were
 * sent, without the repetitions by the SDK, which a busy machine can cause.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
 */
function throttleBatches(name: string, times = Number.POSITIVE_INFINITY): () => number {
  const seen = new Map<string, number>()
  const ids = new Set<string>()
  service.aws.interfere({
    onRequest({ action, body, id }) {
      if (action !== 'BatchWriteItem') return undefined
      ids.add(id)
      const said = JSON.stringify(body)
      const count = (seen.get(said) ?? 0) + 1
      seen.set(said, count)
      const __type = `com.amazonaws.dynamodb.v20120810#${name}`
      return count > times ? undefined : { status: 400, body: { __type, message: 'not now' } }
    },
  })
  return () => ids.size
}

/** The calls to DynamoDB in the log line of a request. */
const callsOf = async (answer: Received) => countsIn(await lineOf(service.log, answer))

describe('D17: batches of writes that DynamoDB throttles', () => {
  test.each(names)('%s: they are retried until all items are written', async (name) => {
    const tokens = numbers(1, 60)
    const request = await newAllowlisting(tokens)
    const sent = throttleBatches(name, 3)
    const answer = await service.call('POST /product/tokens', request)
    expect(answer.status, answer.text).toBe(200)
    expect(sent()).toBe(3 * 4)
    expect(await allowedTokenIds(service.call, request.apiKey)).toEqual(tokens)
  })

  test('permanently: 503 after eight attempts, and a repetition writes exactly the requested NFTs', async () => {
    const tokens = numbers(1, 60)
    const request = await newAllowlisting(tokens)
    const sent = throttleBatches('ProvisionedThroughputExceededException')
    const answer = await service.call('POST /product/tokens', request)
    expectProblem(answer, 'service_unavailable')
    expect(sent()).toBe(3 * 8)
    expect(await callsOf(answer)).toMatchObject({ dynamodbFailures: 3 })
    service.aws.interfere({})
    expect(await allowedTokenIds(service.call, request.apiKey)).toEqual([])
    expect((await service.call('POST /product/tokens', request)).status).toBe(200)
    expect(await allowedTokenIds(service.call, request.apiKey)).toEqual(tokens)
  })
})
