import { describe, expect, test } from 'vitest'
import { AbortedError, PlayerNfts, TimeoutError } from '../src/index.ts'
import { clientOf, errorOf, problem, success } from './scripted-server.ts'

const unavailable = problem(503, 'service_unavailable')

describe.concurrent('a call ends', () => {
  test.each(['hang', 'hang in the body'] as const)('with a TimeoutError: %s', async (scripted) => {
    const { client, attempts } = await clientOf([scripted])
    const error = await errorOf(client.getProduct({ timeoutMs: 300 }))
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toMatchObject({ code: 'timeout', attempts: 2, mayHaveTakenEffect: false })
    expect(attempts.map(({ code }) => code)).toEqual(['timeout', 'timeout'])
  })

  test.each([Number.POSITIVE_INFINITY, 2 ** 31])('not at once after %d ms', async (timeoutMs) => {
    const { client } = await clientOf([success({ name: 'a' })])
    const call = client.getProduct({ timeoutMs, totalTimeoutMs: timeoutMs, maxRetries: 0 })
    expect(await call).toEqual({ name: 'a' })
  })

  test('with the limits of the call, which replace those of the client', async () => {
    const patient = { timeoutMs: 60_000, totalTimeoutMs: 60_000, maxRetries: 0 }
    const { client } = await clientOf(['hang'], patient)
    const retried = await errorOf(client.getProduct({ timeoutMs: 50, maxRetries: 1 }))
    expect(retried).toMatchObject({ code: 'timeout', attempts: 2 })
    const ended = await errorOf(client.getProduct({ totalTimeoutMs: 50, maxRetries: 1 }))
    expect(ended).toMatchObject({ code: 'timeout', attempts: 1 })
  })

  test('in time although fetch ignores the signal', async () => {
    const never = () => new Promise<never>(() => undefined)
    const client = new PlayerNfts({ baseUrl: 'http://127.0.0.1:1', fetch: never, maxRetries: 0 })
    expect(await errorOf(client.getProduct({ timeoutMs: 20 }))).toBeInstanceOf(TimeoutError)
  })

  test('with the time of the whole call', async () => {
    const { client } = await clientOf(['hang'], { maxRetries: 9 })
    const error = await errorOf(client.getProduct({ timeoutMs: 5000, totalTimeoutMs: 150 }))
    expect(error).toMatchObject({ code: 'timeout', attempts: 1 })
  })

  test('when a signal of the call or of the client is aborted', async () => {
    const signal = AbortSignal.timeout(50)
    const { client, attempts } = await clientOf(['hang'], { signal })
    expect(await errorOf(client.getProduct())).toMatchObject({ code: 'aborted', attempts: 1 })
    expect(await errorOf(client.getProduct())).toMatchObject({ code: 'aborted' })
    const own = AbortSignal.abort()
    const error = await errorOf(
      client.withOptions({ signal: undefined }).getProduct({ signal: own }),
    )
    expect(error).toBeInstanceOf(AbortedError)
    expect(attempts).toHaveLength(1)
  })

  test('without listeners on a signal that lives longer', async () => {
    const { signal } = new AbortController()
    let listeners = 0
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--
      remove(...args)
    }
    const { client } = await clientOf([unavailable, success({})], { signal })
    await client.getProduct()
    expect(listeners).toBe(0)
  })
})

describe.concurrent('an aborted call', () => {
  const params = { contractAddress: '0x1', tokens: ['1'] }

  test('says in a wait that the request before it can have changed something', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const failure = problem(503, 'service_unavailable', {}, { 'retry-after': '86400' })
    const { client } = await clientOf([failure], {
      totalTimeoutMs: Number.POSITIVE_INFINITY,
      onAttempt: () => setTimeout(() => controller.abort('The page was closed'), 1),
    })
    const change = await errorOf(client.allowlistNfts(params, { signal }))
    expect(change).toMatchObject({ code: 'aborted', attempts: 1, mayHaveTakenEffect: true })
    expect(change.cause).toBe('The page was closed')
  })

  test('has changed nothing if it was aborted before its request', async () => {
    const { client, requests, attempts } = await clientOf([success([])])
    const signal = AbortSignal.abort()
    const change = await errorOf(client.allowlistNfts(params, { signal }))
    expect(change).toMatchObject({ code: 'aborted', attempts: 0, mayHaveTakenEffect: false })
    expect([requests, attempts]).toEqual([[], []])
  })

  test('has changed nothing if the time is over before its request', async () => {
    const apiKey = () => new Promise<never>(() => undefined)
    const { client, requests } = await clientOf([success([])], { apiKey, timeoutMs: 20 })
    const change = await errorOf(client.allowlistNfts(params))
    expect(change).toMatchObject({ code: 'timeout', attempts: 0, mayHaveTakenEffect: false })
    expect(requests).toEqual([])
  })
})
