import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { alchemyIndexer } from '../../../lib/adapters/alchemy/alchemy-indexer.ts'
import { RateLimited } from '../../../lib/domain/failures.ts'
import { downstreamCalls } from '../../../lib/observability/downstream-calls.ts'
import { serve } from '../../support/services/http-server.ts'
import {
  type Answer,
  apiKey,
  askPage,
  failureOf,
  http,
  nftJson,
  pageJson,
  stubIndexer,
} from './alchemy-stub.ts'

const page = pageJson([nftJson()])

/** Responds to the first requests with a status, and to the others with a page. */
const firstly =
  (status: number, times: number, headers: Record<string, string> = {}): Answer =>
  (response, _request, turn) =>
    turn < times
      ? response.writeHead(status, headers).end('{"error":"secret"}')
      : response.end(page)

const never = Number.POSITIVE_INFINITY

describe('D78: the calls of a request with limits', () => {
  /** Asks within a request that may make this number of calls. */
  const askWith = (calls: number, ask: () => Promise<unknown>) => {
    let taken = 0
    return downstreamCalls.during(async () => {
      downstreamCalls.limitIndexerCalls(async () => {
        taken += 1
        if (taken > calls) throw new RateLimited(limit, 7)
      })
      return await ask()
    })
  }
  const limit = { name: 'indexer_calls_by_minute', count: 75, perSeconds: 60 } as const

  test('D78: each attempt is a call, and one that is not permitted is not made', async () => {
    const { indexer, requests } = await stubIndexer(firstly(503, never, { 'retry-after': '0' }))
    const failure = await failureOf(askWith(2, () => askPage(indexer)))
    expect(failure).toMatchObject({ reason: 'HTTP 503' })
    expect(requests).toHaveLength(2)
  })

  test('D78: without any call, the refusal is the result', async () => {
    const { indexer, requests } = await stubIndexer(page)
    await expect(askWith(0, () => askPage(indexer))).rejects.toThrow(RateLimited)
    expect(requests).toEqual([])
  })
})

describe('D30: the indexer is throttled or overloaded', () => {
  test.each([
    ['seconds', '30', 30],
    ['many seconds, reported as 60', '86400', 60],
    ['an HTTP date', 'Tue, 24 Nov 2026 12:00:40 GMT', 40],
  ])(
    'a Retry-After past the deadline fails at once and is reported: %s',
    async (_, after, seconds) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-24T12:00:00Z') })
      onTestFinished(() => void vi.useRealTimers())
      const { indexer, requests } = await stubIndexer(firstly(429, never, { 'retry-after': after }))
      expect(await failureOf(askPage(indexer))).toMatchObject({ retryAfterSeconds: seconds })
      expect(requests).toHaveLength(1)
    },
  )

  test.each([
    ['within the deadline is waited for', 20_000, 2],
    ['without enough time before the deadline is not waited for', 900, 1],
  ])('Retry-After %s', async (_, milliseconds, attempts) => {
    const { indexer, requests } = await stubIndexer(firstly(429, 1, { 'retry-after': '1' }))
    await askPage(indexer, { deadline: Date.now() + milliseconds }).catch(() => undefined)
    expect(requests).toHaveLength(attempts)
  })

  test('an invalid Retry-After is ignored', async () => {
    const { indexer, requests } = await stubIndexer(firstly(429, 1, { 'retry-after': 'soon' }))
    await askPage(indexer)
    expect(requests).toHaveLength(2)
  })
})

describe('D30: the indexer is unavailable', () => {
  test.each<[status: number, attempts: number]>([
    [429, 3],
    [503, 3],
    [500, 2],
    [502, 2],
    [504, 2],
    ...[302, 400, 404, 501, 505].map((status): [number, number] => [status, 1]),
  ])('%i: is asked %i times at most', async (status, attempts) => {
    const failing = await stubIndexer(firstly(status, never))
    expect(await failureOf(askPage(failing.indexer))).toMatchObject({
      ...{ reason: `HTTP ${status}`, retryAfterSeconds: 5 },
    })
    expect(failing.requests).toHaveLength(attempts)
    const recovering = await stubIndexer(firstly(status, attempts - 1))
    expect((await askPage(recovering.indexer)).nfts).toHaveLength(1)
  })

  test('nothing listens at the address', async () => {
    // No program listens on the port of the TCP port multiplexer.
    const indexer = alchemyIndexer(async () => apiKey, { baseUrl: 'http://127.0.0.1:1' })
    expect((await failureOf(askPage(indexer))).reason).toBe('no connection: ECONNREFUSED')
  })

  test('an https URL uses TLS', async () => {
    const url = await serve((_, response) => response.end(page))
    const indexer = alchemyIndexer(async () => apiKey, { baseUrl: url.replace('http', 'https') })
    expect((await failureOf(askPage(indexer))).reason).toMatch(/^no connection: (EPROTO|ERR_SSL)/)
  })

  test('a connection reset before the response is retried', async () => {
    const { indexer, requests } = await stubIndexer((response, _, turn) =>
      turn === 0 ? response.destroy() : response.end(page),
    )
    expect((await askPage(indexer)).nfts).toHaveLength(1)
    expect(requests).toHaveLength(2)
  })

  test('a connection that is always reset fails', async () => {
    const { indexer, requests } = await stubIndexer((response) => response.destroy())
    expect((await failureOf(askPage(indexer))).reason).toBe('no connection: ECONNRESET')
    expect(requests).toHaveLength(3)
  })
})

describe('D30: the indexer is slow', () => {
  test.each<[string, number, Answer]>([
    ['a response that never starts', 300, () => undefined],
    [
      'a response that never ends: the deadline applies to the whole response',
      300,
      (response) => {
        const drip = setInterval(() => response.write(' '), 20)
        response.once('close', () => clearInterval(drip))
      },
    ],
    [
      'the deadline applies to retries too',
      600,
      (response, _, turn) => turn === 0 && response.writeHead(429).end(),
    ],
  ])('%s', async (_, milliseconds, answer) => {
    const { indexer } = await stubIndexer(answer)
    const failure = await failureOf(askPage(indexer, { deadline: Date.now() + milliseconds }))
    expect(failure.reason).toMatch(/^timed out after \d+ ms$/)
  })

  test('a deadline in the past causes no call', async () => {
    const { indexer, requests } = await stubIndexer(page)
    const failure = await failureOf(askPage(indexer, { deadline: Date.now() - 1 }))
    expect(failure.reason).toBe('no time was left to ask')
    expect(requests).toHaveLength(0)
  })
})

describe('D30: partial and encoded responses', () => {
  const half =
    (headers: Record<string, string>): Answer =>
    (response) => {
      response.writeHead(200, headers)
      response.write(page.slice(0, page.length / 2), () => response.destroy())
    }
  const encoded = (encoding: string, body: string | Uint8Array) =>
    http(200, body, { 'content-encoding': encoding })

  test('gzip is requested and decoded', async () => {
    const { indexer, requests } = await stubIndexer(encoded('gzip', gzipSync(page)))
    expect((await askPage(indexer)).nfts).toHaveLength(1)
    expect(requests[0]?.headers['accept-encoding']).toBe('gzip')
  })

  const lost = 'connection lost within an answer'
  const compression = 'malformed answer: bad compression'

  test.each<[string, Answer, string]>([
    ['half a body with a content-length', half({ 'content-length': `${page.length}` }), lost],
    ['half a body in chunks', half({}), lost],
    ['half of gzip', encoded('gzip', gzipSync(page).subarray(0, 40)), compression],
    ['invalid gzip', encoded('gzip', page), compression],
    ['brotli', encoded('br', page), 'malformed answer: an encoding that was not asked for'],
  ])('%s', async (_, answer, reason) => {
    const { indexer } = await stubIndexer(answer)
    expect((await failureOf(askPage(indexer))).reason).toBe(reason)
  })
})

test('sequential calls share one connection', async () => {
  const { indexer, requests } = await stubIndexer(page)
  for (let turn = 0; turn < 3; turn += 1) await askPage(indexer)
  expect(new Set(requests.map(({ connection }) => connection)).size).toBe(1)
})
