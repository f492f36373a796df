import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { followerName } from '../../lib/contract/follower-name.ts'
import type { LambdaFunction } from '../../local/lambda/lambda-function.ts'
import { startLambdaHost } from '../../local/lambda/lambda-host.ts'
import type { Fault, ProxiedRequest } from '../support/proxies/fault-proxy.ts'
import {
  expectDiscretion,
  type FaultyService,
  indexerKey,
  startFaultyService,
  upstreamText,
} from '../support/services/faulty-service.ts'

let service: FaultyService

beforeAll(async () => {
  service = await startFaultyService({ FOLLOW_POLL_SECONDS: '30' })
})

afterEach(() => {
  service.aws.interfere({})
  service.indexer.interfere({})
})

/** Invokes a new container of the follower, which has time for one poll, and returns its own log lines. */
async function invoke(event: object = { chain: 'POLYGON' }) {
  const follower = service.stack.functions[followerName] as LambdaFunction
  const functions = { [followerName]: { ...follower, timeoutSeconds: 30 } }
  const first = service.log.length
  const host = startLambdaHost({ functions, log: (line) => service.log.push(line) })
  onTestFinished(() => host.close())
  const result = await host.invoke(followerName, event)
  expectDiscretion(service, [])
  const own = service.log.slice(first).filter((line) => line.startsWith('{'))
  return { result, lines: own.map((line) => JSON.parse(line)) }
}

/** What an indexer that shows the request in its answers says. */
const echo = ({ path }: ProxiedRequest) => `${upstreamText}: ${path} ${indexerKey}`
const answering =
  (status: number, body: (text: string) => unknown, headers?: Record<string, string>) =>
  (request: ProxiedRequest): Fault => ({
    ...{ status, body: body(echo(request)) },
    ...(headers && { headers }),
  })

describe('D66: an invocation of the follower', () => {
  test('logs how far the chain is read', async () => {
    const { result, lines } = await invoke()
    const followLagSeconds = expect.any(Number)
    expect(result).toMatchObject({ ok: true })
    expect(lines).toMatchObject([
      { level: 'INFO', chain: 'POLYGON', steps: 1, followFailures: 0, followLagSeconds },
    ])
  })

  test.each<[string, (request: ProxiedRequest) => Fault, string | RegExp]>([
    ['a page', answering(200, (text) => `<h1>${text}</h1>`), 'malformed answer: not JSON'],
    [
      'a page with 503',
      answering(503, (text) => `<h1>${text}</h1>`, { 'retry-after': '60' }),
      'HTTP 503',
    ],
    ['429', answering(429, (text) => text, { 'retry-after': '60' }), 'HTTP 429'],
    ['401', answering(401, (text) => text), 'HTTP 401'],
    ['403', answering(403, (text) => text), /^HTTP 403: is the network polygon-mainnet enabled/],
    [
      'a redirect',
      answering(302, (text) => text, { location: `http://${indexerKey}/` }),
      'HTTP 302',
    ],
    ['an error', answering(200, (message) => ({ id: 1, error: { message } })), /^malformed answer/],
    ['nothing', () => 'drop', /^no connection: /],
  ])(
    'logs a failure, and nothing of its cause, if the indexer answers %s',
    async (_, fault, reason) => {
      service.indexer.interfere({ onRequest: fault })
      const { result, lines } = await invoke()
      expect(result).toMatchObject({ ok: true })
      expect(lines).toMatchObject([
        { level: 'ERROR', steps: 0, followFailures: 1, reason: expect.stringMatching(reason) },
      ])
    },
  )

  test.each([
    ['GetItem', 1],
    ['Query', 1],
    ['GetSecretValue', 1],
    // The lease, and its end.
    ['UpdateItem', 2],
  ])('logs a failure if AWS does not carry out %s', async (failing, followFailures) => {
    const body = { __type: 'InternalServerError', message: upstreamText }
    service.aws.interfere({
      onRequest: ({ action }) => (action === failing ? { status: 500, body } : undefined),
    })
    const { result, lines } = await invoke()
    expect(result).toMatchObject({ ok: true })
    expect(lines).toMatchObject([
      { level: 'ERROR', steps: 0, followFailures, reason: expect.any(String) },
    ])
  })

  test('logs a defect as a failure, with its stack, so that the queries and the alarm notice it', async () => {
    // No AWS service answers so, and the code does not expect it.
    service.aws.interfere({
      onRequest: ({ action }) =>
        action === 'Query' ? { status: 200, body: { Items: 5 } } : undefined,
    })
    const { result, lines } = await invoke()
    expect(result).toMatchObject({ ok: false })
    const failure = { level: 'ERROR', chain: 'POLYGON', followFailures: 1, reason: 'defect' }
    expect(lines).toEqual([
      expect.objectContaining({ ...failure, defect: expect.stringContaining('\n    at ') }),
    ])
    expect(lines[0]).not.toHaveProperty('followLagSeconds')
  })

  test.each([[{}], [{ chain: 'MUMBAI' }], [{ chain: indexerKey }]])(
    'fails for an event that no schedule sends: %j',
    async (event) => {
      const { result, lines } = await invoke(event)
      expect(result).toMatchObject({ ok: false, message: 'the event names no covered chain' })
      expect(lines).toEqual([])
    },
  )
})
