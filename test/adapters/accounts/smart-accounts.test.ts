import { gzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { nodeSmartAccounts } from '../../../lib/adapters/accounts/smart-accounts.ts'
import { validatorCall } from '../../../lib/adapters/accounts/validator-call.ts'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import { ChainUnavailable } from '../../../lib/domain/sign-in/failures.ts'
import { downstreamCalls } from '../../../lib/observability/downstream-calls.ts'
import {
  type Answer,
  owner as address,
  apiKey,
  http,
  stubIndexer,
} from '../alchemy/alchemy-stub.ts'
import { rpcError } from '../alchemy/rpc-json.ts'

const account = { address, chain: 'BASE' } as const
const signature = `0x${'5a'.repeat(100)}`

/** The accounts of a chain with this node, and the requests that it received. They end with the test. */
async function accountsOf(node: Answer, readKey?: Parameters<typeof stubIndexer>[1]) {
  const { smartAccounts, requests } = await stubIndexer(node, readKey)
  const judge = (signed = signature) => smartAccounts.judge(account, 'a text', signed)
  return { judge, requests }
}

/** The failure of a question, which tells neither the key nor where the node is. */
async function failureOf(question: Promise<unknown>): Promise<ChainUnavailable> {
  const failure = await question.then(String, (error: unknown) => error)
  if (!(failure instanceof ChainUnavailable)) throw failure
  expect(`${failure.stack} ${JSON.stringify(failure)}`).not.toMatch(/secret|127\.0\.0\.1/)
  return failure
}

const rpc = (content: object, id: unknown = 1) => JSON.stringify({ jsonrpc: '2.0', id, ...content })

describe('D158: a smart account', () => {
  test.each([
    ['accepts', '0x01'],
    ['refuses', '0x00'],
    ['no_account', '0x02'],
  ] as const)('%s if the validator says %s', async (answer, result) => {
    const { judge, requests } = await accountsOf(rpc({ result }))
    expect(await judge()).toBe(answer)
    expect(requests.map(({ path }) => path)).toEqual([
      `/base-mainnet/v2/${encodeURIComponent(apiKey)}`,
    ])
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      ...{ jsonrpc: '2.0', id: 1, method: 'eth_call' },
      params: [validatorCall(address, 'a text', signature), 'latest'],
    })
  })

  test('is not asked about a signature that only looks like one of ERC-6492', async () => {
    const { judge, requests } = await accountsOf(rpc({ result: '0x01' }))
    expect(await judge(`0x${'6492'.repeat(16)}`)).toBe('refuses')
    expect(requests).toEqual([])
  })

  test('refuses if the execution fails, with whatever words of the contract', async () => {
    const message = 'execution reverted: rate limit exceeded'
    const { judge } = await accountsOf(rpcError(-32_000, message))
    expect(await judge()).toBe('refuses')
  })

  const body = (bytes: number) => rpc({ result: '0x01' }).padEnd(bytes)
  const padded = (bytes: number) => Buffer.concat([gzipSync(body(0))], bytes)
  const gzip = { 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' }

  test.each<[string, (bytes: number) => string | Buffer, Record<string, string>]>([
    ['plain', body, {}],
    ['compressed', (bytes) => gzipSync(body(bytes)), gzip],
    ['of few bytes, with padding after its gzip', padded, gzip],
  ])(
    'refuses with an answer of more than 16 KB, %s, and accepts with 16 KB',
    async (_, sent, headers) => {
      const { judge } = await accountsOf((response, _, turn) =>
        response.writeHead(200, headers).end(sent(16_384 + turn)),
      )
      expect(await judge()).toBe('accepts')
      expect(await judge()).toBe('refuses')
    },
  )

  test.each([400, 404, 429, 500, 503])('answers whatever the HTTP status: %i', async (status) => {
    const { judge } = await accountsOf((response, _, turn) =>
      response
        .writeHead(status)
        .end(turn === 0 ? rpc({ result: '0x01' }) : rpcError(3, 'execution reverted')),
    )
    expect(await judge()).toBe('accepts')
    expect(await judge()).toBe('refuses')
  })
})

describe('D158: nobody knows what a smart account says', () => {
  test.each<[string, Answer, string, isOfNode: boolean]>([
    ['the node fails', http(503, '<html>'), 'HTTP 503', true],
    ['its gateway does', http(504, ''), 'HTTP 504', true],
    ['there are too many calls', http(429, ''), 'HTTP 429', true],
    [
      'the node says so of an app',
      rpcError(429, 'Your app has exceeded its capacity'),
      'a JSON-RPC error 429: Your app has exceeded its capacity',
      true,
    ],
    [
      'it says so with a status',
      http(429, rpcError(-32_005, 'too many requests')),
      'a JSON-RPC error -32005: too many requests',
      true,
    ],
    [
      'it ends the execution, with a status',
      http(503, rpcError(-32_000, 'execution aborted (timeout = 5s)')),
      'a JSON-RPC error -32000: execution aborted (timeout = #s)',
      false,
    ],
    ['the request is refused', http(400, 'no'), 'HTTP 400', false],
    [
      'the error is not known',
      rpcError(-32_000, `header not found at ${apiKey} ${'y'.repeat(300)}`),
      `a JSON-RPC error -32000: header not found at [key] ${'y'.repeat(174)}`,
      false,
    ],
    [
      'the connection is lost within an answer',
      (response) => {
        response.writeHead(200, { 'content-length': 100 }).write('{')
        setImmediate(() => response.destroy())
      },
      'connection lost within an answer',
      false,
    ],
    [
      'it is lost before, twice',
      (response) => response.destroy(),
      'no connection: ECONNRESET',
      false,
    ],
  ])('if %s', async (_, node, reason, isOfNode) => {
    const { judge } = await accountsOf(node)
    expect(await failureOf(judge())).toMatchObject({ code: 'chain_unavailable', reason, isOfNode })
  })

  test.each<[string, Answer]>([
    ['garbage', 'busy'],
    ['HTML', '<html>'],
    ['null', 'null'],
    ['that of another call', rpc({ result: '0x01' }, 2)],
    ['an error of no call', rpc({ error: { code: 3, message: 'execution reverted' } }, null)],
    ['one without a result', rpc({})],
    ['none of the validator', rpc({ result: `0x${'0'.repeat(63)}1` })],
  ])('if the answer is %s', async (_, answer) => {
    const { judge } = await accountsOf(answer)
    expect(await failureOf(judge())).toMatchObject({
      ...{ code: 'chain_unavailable', isOfNode: false },
      reason: 'malformed answer: not that of our call',
    })
  })

  test('if nobody listens, which no caller causes', async () => {
    // No program listens on the port of the TCP port multiplexer.
    const accounts = nodeSmartAccounts(async () => apiKey, { baseUrl: 'http://127.0.0.1:1' })
    expect(await failureOf(accounts.judge(account, 'a text', signature))).toMatchObject({
      ...{ reason: 'no connection: ECONNREFUSED', isOfNode: true },
    })
  })

  test('after five seconds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    timeout.mockImplementation((milliseconds) => {
      expect(milliseconds).toBeGreaterThan(4_000)
      expect(milliseconds).toBeLessThanOrEqual(5_000)
      timeout.mockRestore()
      return AbortSignal.timeout(20)
    })
    const { judge } = await accountsOf(() => undefined)
    expect(await failureOf(judge())).toMatchObject({
      ...{ reason: 'timed out after 5000 ms', isOfNode: false },
    })
  })

  test('if the key cannot be read, which is a failure of the service', async () => {
    const failure = new ServiceUnavailable('no key')
    const { judge } = await accountsOf('', () => Promise.reject(failure))
    await expect(judge()).rejects.toBe(failure)
  })
})

test('D158: a question is asked again if the connection was lost before an answer', async () => {
  const { judge, requests } = await accountsOf((response, _, turn) =>
    turn === 0 ? response.destroy() : response.end(rpc({ result: '0x01' })),
  )
  expect(await judge()).toBe('accepts')
  expect(requests).toHaveLength(2)
})

describe.each([401, 403])('D56: a key that is refused with %i', (status) => {
  const body = rpcError(-32_600, 'Must be authenticated!')

  test('is read again, once', async () => {
    const reads: unknown[] = []
    const { judge, requests } = await accountsOf(
      (response, _, turn) =>
        turn === 0 ? response.writeHead(status).end(body) : response.end(rpc({ result: '0x01' })),
      async (options) => {
        reads.push(options)
        return options?.anew ? 'new-secret' : 'old-secret'
      },
    )
    expect(await judge()).toBe('accepts')
    expect(reads).toEqual([undefined, { anew: true }])
    expect(requests.map(({ path }) => path)).toEqual([
      ...['/base-mainnet/v2/old-secret', '/base-mainnet/v2/new-secret'],
    ])
  })

  test('and again is a failure, which names the network if that can be the reason', async () => {
    const { judge } = await accountsOf(http(status, body))
    const hint = ': is the network base-mainnet enabled in the app of the key?'
    expect(await failureOf(judge())).toMatchObject({
      ...{ reason: `HTTP ${status}${status === 403 ? hint : ''}`, isOfNode: false },
    })
  })
})

test.each<[string, Answer, calls: number, failures: number]>([
  ['an answer', (response) => response.end(rpc({ result: '0x01' })), 1, 0],
  ['a failure of the node', (response) => response.writeHead(503).end(), 1, 1],
  ['a lost connection, twice', (response) => response.destroy(), 2, 2],
  ['a refused key, twice', (response) => response.writeHead(403).end(), 2, 2],
])('D158: %s counts as no call and no failure of the indexer', async (_, node, calls, failures) => {
  const { judge } = await accountsOf(node)
  const counts = await downstreamCalls.during(async () => {
    await judge().catch(() => undefined)
    return downstreamCalls.counts()
  })
  const { smartAccountsFailures = 0, ...others } = counts
  expect(smartAccountsFailures).toBe(failures)
  expect(others).toEqual({ smartAccountsCalls: calls, indexerUnits: 26 * calls })
})
