import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import { functionTimeoutSeconds } from '../../lib/domain/time-budget.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { callers, capturedLog, goodReference } from '../support/memory/http-chain.ts'

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
