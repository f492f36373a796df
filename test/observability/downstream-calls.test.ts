import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { downstreamCalls } from '../../lib/observability/downstream-calls.ts'
import { deploymentOf } from '../../lib/observability/metrics.ts'
import { requestSubject } from '../../lib/observability/request-subject.ts'

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
    expect(downstreamCalls.times()).toBeUndefined()
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
