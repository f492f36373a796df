import type { LambdaFunction } from '@player-nfts/local/lambda/lambda-function'
import { startLambdaHost } from '@player-nfts/local/lambda/lambda-host'
import { describe, expect, test } from 'vitest'
import { followerName } from '../../lib/contract/background-names.ts'
import type { Fault, ProxiedRequest } from '../support/proxies/fault-proxy.ts'
import {
  expectDiscretion,
  indexerKey,
  startFaultyService,
  upstreamText,
} from '../support/services/faulty-service.ts'

const service = await startFaultyService({ FOLLOW_POLL_SECONDS: '30' })

/** Invokes a new container of the follower, which has time for one poll of each chain, and returns its own log lines. */
async function invoke(chains = 'POLYGON') {
  const follower = service.stack.functions[followerName] as LambdaFunction
  const env = { ...follower.env, FOLLOWED_CHAINS: chains }
  const functions = { [followerName]: { ...follower, env, timeoutSeconds: 30 } }
  const first = service.log.length
  const host = startLambdaHost({ functions, log: (line) => service.log.push(line) })
  const result = await host.invoke(followerName, {})
  // Lines can come after the result, and among those of the worker.
  const ofChains = () =>
    service.log
      .slice(first)
      .filter((line) => line.startsWith('{') && line.includes('followFailures'))
  await expect.poll(() => ofChains().length).toBe(chains.split(',').length)
  await host.close()
  expectDiscretion(service, [])
  return { result, lines: ofChains().map((line) => JSON.parse(line)) }
}

/** What an indexer that shows the request in its answers says. */
const echo = ({ path }: ProxiedRequest) => `${upstreamText}: ${path} ${indexerKey}`
const answering =
  (status: number, body: (text: string) => unknown) =>
  (request: ProxiedRequest): Fault => ({ status, body: body(echo(request)) })

describe('D152: an invocation of the follower', () => {
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
    ['403', answering(403, (text) => text), /^HTTP 403: is the network polygon-mainnet enabled/],
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
    // A chain of which nothing is known counts as 600 s late.
    ['GetItem', 1, 600],
    ['Query', 1, expect.any(Number)],
    ['GetSecretValue', 1, expect.any(Number)],
    // The lease, and its end.
    ['UpdateItem', 2, expect.any(Number)],
  ])('logs a failure if AWS does not carry out %s', async (failing, followFailures, lag) => {
    const body = { __type: 'InternalServerError', message: upstreamText }
    service.aws.interfere({
      onRequest: ({ action }) => (action === failing ? { status: 500, body } : undefined),
    })
    const { result, lines } = await invoke()
    expect(result).toMatchObject({ ok: true })
    expect(lines).toMatchObject([
      {
        level: 'ERROR',
        steps: 0,
        followFailures,
        followLagSeconds: lag,
        chain: 'POLYGON',
        reason: expect.any(String),
      },
    ])
  })

  test('logs a line for each of several chains, with its own calls', async () => {
    const { result, lines } = await invoke('POLYGON,BSC,ETHEREUM')
    expect(result).toMatchObject({ ok: true })
    const line = { level: 'INFO', steps: 1, followFailures: 0, indexerFailures: 0 }
    expect(lines).toMatchObject([
      { ...line, chain: 'POLYGON', sqsCalls: 1, sqsFailures: 0 },
      { ...line, chain: 'BSC' },
      { ...line, chain: 'ETHEREUM' },
    ])
    // The message that has the worker look after what is kept (D153).
    for (const other of lines.slice(1)) expect(other).not.toHaveProperty('sqsCalls')
    // One container has begun, whatever the number of its lines.
    expect(lines.map(({ coldStart }) => coldStart)).toEqual([true, undefined, undefined])
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
  })
})

test('D153: messages to the worker that are not sent end no invocation, and are counted', async () => {
  service.aws.interfere({
    onRequest: ({ action }) =>
      action === 'SendMessage' ? { status: 500, body: { __type: 'InternalError' } } : undefined,
  })
  const { result, lines } = await invoke()
  expect(result).toMatchObject({ ok: true })
  expect(lines).toMatchObject([
    { level: 'INFO', steps: 1, followFailures: 0, sqsFailures: expect.any(Number) },
  ])
  expect(lines[0]?.sqsFailures).toBeGreaterThan(0)
})
