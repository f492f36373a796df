import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { indexerRequest } from '../../lib/adapters/alchemy/indexer-request.ts'
import { downstreamCalls } from '../../lib/observability/downstream-calls.ts'
import { logRequest } from '../../lib/observability/log.ts'
import { deploymentOf } from '../../lib/observability/metrics.ts'
import { requestSubject } from '../../lib/observability/request-subject.ts'
import { indexerTimesIn } from '../support/data/metric-documents.ts'
import { capturedLog } from '../support/memory/http-chain.ts'
import { serve } from '../support/services/http-server.ts'

/** A clock that stands still until the test moves it. */
function stoppedClock() {
  vi.useFakeTimers({ toFake: ['performance'], now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  return { pass: (milliseconds: number) => void vi.advanceTimersByTime(milliseconds) }
}

describe('the time that a request waits for a service', () => {
  test('counts simultaneous calls once, and a call that is in progress so far', async () => {
    const clock = stoppedClock()
    const [first, second, third] = [0, 1, 2].map(() => Promise.withResolvers<void>())
    const times = await downstreamCalls.during(async () => {
      const calls = [first, second].map((each) =>
        downstreamCalls.timed('dynamodb', async () => await each?.promise),
      )
      clock.pass(10)
      first?.resolve()
      await calls[0]
      clock.pass(5)
      second?.resolve()
      await calls[1]
      clock.pass(100)
      const last = downstreamCalls.timed('dynamodb', async () => await third?.promise)
      clock.pass(2)
      const soFar = downstreamCalls.times()
      third?.resolve()
      await last
      return soFar
    })
    expect(times).toEqual({ dynamodbMilliseconds: 17 })
  })

  test('includes calls that fail, and belongs to its request', async () => {
    const clock = stoppedClock()
    const failing = async () => {
      clock.pass(3)
      throw new Error('refused')
    }
    const times = await downstreamCalls.during(async () => {
      await expect(downstreamCalls.timed('kms', failing)).rejects.toThrow('refused')
      await downstreamCalls.during(() => downstreamCalls.timed('sqs', async () => clock.pass(1)))
      return downstreamCalls.times()
    })
    expect(times).toEqual({ kmsMilliseconds: 3 })
    expect(downstreamCalls.times()).toEqual({})
    await expect(downstreamCalls.timed('kms', async () => 'outside')).resolves.toBe('outside')
  })
})

test('D55: a request waits a second for work beside it that does not end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const ended = vi.fn()
  const never = new Promise(() => undefined)
  void downstreamCalls.during(async () => downstreamCalls.beside(never)).then(ended)
  await vi.advanceTimersByTimeAsync(999)
  expect(ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(ended).toHaveBeenCalled()
})

test('D46: changes and calls of the indexer wait for the permission, and are refused with it', async () => {
  const permission = Promise.withResolvers<void>()
  await downstreamCalls.during(async () => {
    downstreamCalls.requirePermission(permission.promise)
    const states: string[] = []
    const gates = [downstreamCalls.permitted(), downstreamCalls.indexerPermitted()].map((gate) =>
      gate.then(
        () => states.push('passed'),
        () => states.push('refused'),
      ),
    )
    await setImmediate()
    expect(states).toEqual([])
    permission.reject(new Error('refused'))
    await Promise.all(gates)
    expect(states).toEqual(['refused', 'refused'])
  })
})

test('D72: the subject belongs to one request, whatever runs at the same time', async () => {
  const request = (userId: number) =>
    downstreamCalls.during(async () => {
      requestSubject.note({ userId })
      await setImmediate()
      requestSubject.note({ productId: `product of ${userId}` })
      await setImmediate()
      return requestSubject.current()
    })
  requestSubject.note({ userId: 0 })
  expect(await Promise.all([request(1), request(2)])).toEqual([
    { userId: 1, productId: 'product of 1' },
    { userId: 2, productId: 'product of 2' },
  ])
  expect(requestSubject.current()).toEqual({})
})

test('the deployment of a function is its name without the name of the operation', () => {
  expect(deploymentOf('PlayerNfts-dev-anna-get-product', 'get-product')).toBe('PlayerNfts-dev-anna')
  expect(deploymentOf('get-product', 'get-product')).toBe('get-product')
})

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
    return downstreamCalls.indexerCallTimes()
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
