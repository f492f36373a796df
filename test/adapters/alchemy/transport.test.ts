import { type AddressInfo, createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { alchemyIndexer } from '../../../lib/adapters/alchemy/alchemy-indexer.ts'
import { RateLimited } from '../../../lib/domain/failures.ts'
import { downstreamCalls } from '../../../lib/observability/downstream-calls.ts'
import {
  type Answer,
  apiKey,
  askPage,
  failureOf,
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
    const server = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const indexer = alchemyIndexer(async () => apiKey, { baseUrl: `https://127.0.0.1:${port}` })
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
  const soon = () => ({ deadline: Date.now() + 300 })

  test('a response that never starts', async () => {
    const { indexer } = await stubIndexer(() => undefined)
    expect((await failureOf(askPage(indexer, soon()))).reason).toMatch(/^timed out after \d+ ms$/)
  })

  test('a response that never ends: the deadline applies to the whole response', async () => {
    const { indexer } = await stubIndexer((response) => {
      const drip = setInterval(() => response.write(' '), 20)
      response.once('close', () => clearInterval(drip))
    })
    expect((await failureOf(askPage(indexer, soon()))).reason).toMatch(/^timed out/)
  })

  test('the deadline applies to retries too', async () => {
    const { indexer } = await stubIndexer((response, _, turn) => {
      if (turn === 0) response.writeHead(429).end()
    })
    expect((await failureOf(askPage(indexer, { deadline: Date.now() + 600 }))).reason).toMatch(
      /^timed out/,
    )
  })

  test('a deadline in the past causes no call', async () => {
    const { indexer, requests } = await stubIndexer(page)
    const failure = await failureOf(askPage(indexer, { deadline: Date.now() - 1 }))
    expect(failure.reason).toBe('no time was left to ask')
    expect(requests).toHaveLength(0)
  })
})

describe('D30: partial and encoded responses', () => {
  test.each([
    ['with a content-length', { 'content-length': `${page.length}` }],
    ['in chunks', {}],
  ])('half a body %s', async (_, headers) => {
    const { indexer } = await stubIndexer((response) => {
      response.writeHead(200, headers)
      response.write(page.slice(0, page.length / 2), () => response.destroy())
    })
    expect((await failureOf(askPage(indexer))).reason).toBe('connection lost within an answer')
  })

  test('gzip is requested and decoded', async () => {
    const { indexer, requests } = await stubIndexer((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(page)),
    )
    expect((await askPage(indexer)).nfts).toHaveLength(1)
    expect(requests[0]?.headers['accept-encoding']).toBe('gzip')
  })

  test.each([
    ['half of gzip', 'gzip', gzipSync(page).subarray(0, 40), 'malformed answer: bad compression'],
    ['invalid gzip', 'gzip', page, 'malformed answer: bad compression'],
    ['brotli', 'br', page, 'malformed answer: an encoding that was not asked for'],
  ])('%s', async (_, encoding, body, reason) => {
    const { indexer } = await stubIndexer((response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(body),
    )
    expect((await failureOf(askPage(indexer))).reason).toBe(reason)
  })
})

test('sequential calls share one connection', async () => {
  const { indexer, requests } = await stubIndexer(page)
  for (let turn = 0; turn < 3; turn += 1) await askPage(indexer)
  expect(new Set(requests.map(({ connection }) => connection)).size).toBe(1)
})
