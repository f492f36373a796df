import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { beforeAll, expect, test } from 'vitest'
import { type OperationId, routes } from '../../functions/operations.ts'
import { functionTimeoutSeconds } from '../../lib/domain/time-budget.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { acceptedRequest, callName } from '../support/accepted-requests.ts'
import { callers, capturedLog, goodReference } from '../support/memory/http-chain.ts'
import type { Sent } from '../support/requests/client.ts'
import { expectProblem } from '../support/requests/problem.ts'
import {
  expectDiscretion,
  type FaultyService,
  startFaultyService,
} from '../support/services/faulty-service.ts'

let service: FaultyService

beforeAll(async () => {
  service = await startFaultyService()
})

/** The calls that never end, and the operations that wait for them. */
const waiting = {
  BatchWriteItem: ['allowlistNfts'],
  Sign: ['createPlayerToken'],
  SendMessage: ['unbindContract'],
  // Its container has not read the indexer key yet.
  GetSecretValue: ['getStructuredMetadata'],
  indexer: ['getRawMetadata', 'getPlayerDetails', 'refreshMetadata'],
} satisfies Record<string, OperationId[]>

test('D30: requests that hang time out, and do not delay other requests', async () => {
  const requests = new Map<OperationId, Sent>()
  for (const id of Object.values(waiting).flat()) {
    requests.set(id, await acceptedRequest(service, id))
  }
  const answered: string[] = []
  const call = async (id: OperationId) => {
    const answer = await service.call(callName(id), requests.get(id))
    answered.push(id)
    return answer
  }
  const warm = await Promise.all([call('getRawMetadata'), call('getPlayerDetails')])
  for (const { status } of warm) expect(status).toBe(200)
  await service.call('POST /tokens/refresh', await acceptedRequest(service, 'refreshMetadata'))
  answered.length = 0

  service.aws.interfere({ onRequest: ({ action }) => (action in waiting ? 'hang' : undefined) })
  service.indexer.interfere({ onRequest: () => 'hang' })
  const waited = Object.entries(waiting).flatMap(([where, ids]) =>
    ids.map(async (id) => {
      const answer = await call(id)
      expectProblem(answer, where === 'indexer' ? 'indexer_unavailable' : 'service_unavailable')
      return answer
    }),
  )
  const { apiKey = '' } = requests.get('unbindContract') ?? {}
  const list = await service.call('GET /product/tokens', { apiKey })
  expect(list.json.data).toHaveLength(25)
  expect(answered).toEqual([])
  expectDiscretion(service, await Promise.all(waited))
  // Each call has its own timeout: the deadline of the request is the last resort.
  expect(reasonsIn(service.log)).toEqual([
    'DynamoDB: TimeoutError',
    'KMS: TimeoutError',
    'SQS: TimeoutError',
    'Secrets Manager: TimeoutError',
    'timed out',
    'timed out',
    'timed out',
  ])

  service.aws.interfere({})
  service.indexer.interfere({})
  for (const id of requests.keys()) expect((await call(id)).status, id).toBe(200)
})

/** The reasons of failed requests, sorted and without the milliseconds. */
const reasonsIn = (log: string[]): string[] =>
  log
    .map((line) => JSON.parse(line).reason as string | undefined)
    .flatMap((reason) => reason?.replace(/ after \d+ ms$/, '') ?? [])
    .sort()

const never = new Promise<never>(() => undefined)

/** Calls a function that waits forever in one place, with this remaining time in milliseconds. */
async function call(
  waiting: { run?: Promise<never>; apiKeys?: Promise<never> },
  remainingMilliseconds: number,
) {
  const waitsForEver = operation(routes.getProduct, async () => {
    await waiting.run
    return {
      data: { productId: 'p', name: 'A game', contactEmail: 'a@b', companyName: 'A studio' },
    }
  })
  const referenceOf = async () => (await waiting.apiKeys) ?? goodReference
  const { productAccess, usage } = callers
  const handler = lambda(waitsForEver, { apiKeys: { referenceOf }, productAccess, usage })
  const event = {
    headers: { 'x-api-key': '7f1f0f44-6f7e-4a2b-9a52-6a1d1c0f2b11' },
    rawQueryString: '',
    requestContext: { requestId: 'the request' },
  } as unknown as APIGatewayProxyEventV2
  const getRemainingTimeInMillis = () => remainingMilliseconds
  const context = { functionName: 'the-function', getRemainingTimeInMillis }
  return await handler(event, context as Context)
}

const reserve = functionTimeoutSeconds * 1000 - 25_000

/** Expects a 503 response, and a log line that names the deadline as the reason. */
async function expectUnavailable(...asked: Parameters<typeof call>): Promise<void> {
  const log = capturedLog()
  const answer = await call(...asked)
  expect(answer).toMatchObject({
    statusCode: 503,
    headers: { 'content-type': 'application/problem+json', 'retry-after': '2' },
  })
  expect(JSON.parse(answer.body ?? '')).toMatchObject({
    code: 'service_unavailable',
    requestId: 'the request',
  })
  expect(log).toMatchObject([
    { level: 'ERROR', status: 503, reason: 'the request ran out of time' },
  ])
}

test('D30: a request that waits forever is answered with 503, four seconds before Lambda ends it', async () => {
  expect(reserve).toBe(4_000)
  await expectUnavailable({ run: never }, reserve + 50)
})

test('D30: a request without any time left is answered with 503', async () => {
  await expectUnavailable({ run: never }, 0)
})

test('D30: a request whose caller cannot be identified in time is answered with 503', async () => {
  await expectUnavailable({ apiKeys: never }, reserve + 50)
})

test('D30: a response in time clears the timer of the deadline', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  capturedLog()
  expect(await call({}, reserve + 60_000)).toMatchObject({ statusCode: 200 })
  expect(timers()).toBe(before)
})
