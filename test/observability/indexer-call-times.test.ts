import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { indexerRequest } from '../../lib/adapters/alchemy/indexer-request.ts'
import { downstreamCalls } from '../../lib/observability/downstream-calls.ts'
import { indexerCallTimes } from '../../lib/observability/indexer-call-times.ts'
import { logRequest } from '../../lib/observability/log.ts'
import { indexerTimesIn } from '../support/data/metric-documents.ts'
import { capturedLog } from '../support/memory/http-chain.ts'
import { serve } from '../support/services/http-server.ts'

/** An indexer that answers each request with the next of these statuses, and never with `undefined`. */
const indexerOf = (...statuses: (number | undefined)[]): Promise<string> =>
  serve((_, response) => {
    const status = statuses.shift()
    if (status !== undefined) response.writeHead(status).end('{}')
  })

const line = {
  lambdaRequestId: 'invocation-1',
  functionName: 'the-deployment-get-nfts',
  functionVersion: '7',
  deployment: 'the-deployment',
  requestId: 'request-1',
  operation: 'getNfts',
  productId: undefined,
  status: 200,
  durationMilliseconds: 1,
}

const ask = (url: string, timeoutMs = 5_000) =>
  indexerRequest({ method: 'GET', url, headers: {}, maxBodyBytes: 1_000, units: 1 }, timeoutMs)

/** The times of the calls of a request that runs this. */
const timesOf = (run: () => Promise<unknown>) =>
  downstreamCalls.during(async () => {
    await run().catch(() => undefined)
    return indexerCallTimes()
  })

test.each([
  ['answered', [200]],
  ['retried', [503, 503, 200]],
  ['failed', [400]],
])('D71: a call that is %s has one value', async (_, statuses) => {
  const url = await indexerOf(...statuses)
  expect(await timesOf(() => ask(url))).toEqual([expect.any(Number)])
})

test('D71: a call that timed out has the time after which it was ended', async () => {
  const url = await indexerOf(undefined)
  const [time = 0, ...others] = await timesOf(() => ask(url, 50))
  expect(time).toBeGreaterThanOrEqual(50)
  expect(others).toEqual([])
})

test('D71: a call in progress has the time that it has taken so far', async () => {
  const url = await indexerOf(undefined, 200)
  const times = await timesOf(async () => {
    ask(url).catch(() => undefined)
    await sleep(20)
    await ask(url)
  })
  expect(times).toHaveLength(2)
  expect(times[0]).toBeGreaterThanOrEqual(20)
})

test('D71: more than 100 calls of a request are in several lines, as CloudWatch requires', async () => {
  const log = capturedLog()
  const url = await indexerOf(...Array.from({ length: 205 }, () => 400))
  await downstreamCalls.during(async () => {
    for (let call = 0; call < 205; call += 1) await ask(url).catch(() => undefined)
    logRequest(line)
  })
  expect(log.map((each) => indexerTimesIn(each).length)).toEqual([100, 100, 5])
  expect(log.map((each) => each['lambdaRequestId'])).toEqual(Array(3).fill('invocation-1'))
  expect(log.map((each) => each['operation'])).toEqual(['getNfts', undefined, undefined])
  const slowest = Math.max(...log.flatMap(indexerTimesIn))
  expect(log.map((each) => each['indexerSlowestMilliseconds'])).toEqual([
    ...[slowest, undefined, undefined],
  ])
})
