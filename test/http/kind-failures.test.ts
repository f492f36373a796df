import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import { InvalidUserJwt } from '../../lib/domain/credential-failures.ts'
import { IndexerUnavailable, RateLimited, ServiceUnavailable } from '../../lib/domain/failures.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { type LambdaHandler, lambda } from '../../lib/http/lambda.ts'
import { VerbatimJson } from '../../lib/json/verbatim-json.ts'
import { downstreamCalls } from '../../lib/observability/downstream-calls.ts'
import { metricsIn } from '../support/data/metric-documents.ts'
import { accepted, callers, capturedLog, getRawMetadata } from '../support/memory/http-chain.ts'

/** The failures of a kind that the line of a request has as metrics. */
async function counted(handler: LambdaHandler, event: object): Promise<Record<string, number>> {
  const log = capturedLog()
  const context = {
    ...{ awsRequestId: 'i', functionName: 'd-create-player-token', functionVersion: '7' },
    getRemainingTimeInMillis: () => 29_000,
  }
  await handler(event as APIGatewayProxyEventV2, context as Context)
  const metrics = Object.entries(metricsIn(log.find((line) => 'operation' in line) ?? {}))
  return Object.fromEntries(
    metrics.filter(([name]) => /^(loginFailures\d|indexerRequestFailures)$/.test(name)),
  )
}

/** A login from a network, which ends with this error, if there is one. */
const login = (network: string, error?: Error, requestId = 'request-1') =>
  counted(
    lambda(
      operation(routes.createPlayerToken, async () => ({ data: { token: 'x' } })),
      {
        ...callers,
        sourceAddressOf: () => network,
        userJwts: {
          verify: async () => {
            if (error) throw error
            return { issuer: 'login', subject: '42', username: 'neo', wallets: [], issuedAt: 0 }
          },
        },
      },
    ),
    {
      ...{ rawQueryString: '', headers: { authorization: 'Bearer x' } },
      requestContext: { requestId },
    },
  )

const bucketOf = (metrics: object): string => Object.keys(metrics).join()

const networks = Array.from({ length: 40 }, (_, index) => `198.51.100.${index}`)

describe('D138: a login', () => {
  test('counts in one of eight buckets, which is that of its network', async () => {
    const found: Record<string, number>[] = []
    for (const network of networks) {
      const success = await login(network)
      expect(Object.values(success)).toEqual([0])
      const failure = await login(network, new InvalidUserJwt('unknown_key'))
      expect(failure).toEqual({ [bucketOf(success)]: 1 })
      found.push(success)
    }
    expect(new Set(found.map(bucketOf)).size).toBe(8)
  })

  test.each<ConstructorParameters<typeof InvalidUserJwt>[0]>([
    'algorithm',
    'signature',
    'unknown_key',
    { claim: 'iss', rule: 'is missing' },
    { claim: 'aud', rule: 'is missing' },
  ])('that is refused because of the deployment is a failure: %j', async (fault) => {
    expect(Object.values(await login('192.0.2.1', new InvalidUserJwt(fault)))).toEqual([1])
  })

  test.each([
    new InvalidUserJwt('expired'),
    new InvalidUserJwt('malformed'),
    new InvalidUserJwt('player_token'),
    new InvalidUserJwt({ claim: 'wallets', rule: 'is no list' }),
    new RateLimited({ name: 'player_tokens', count: 1, perSeconds: 1 }, 1),
  ])('that is refused for another reason does not count: %s', async (error) => {
    expect(await login('192.0.2.1', error)).toEqual({})
  })

  test('that fails because of the service counts as a network of its own', async () => {
    const error = new ServiceUnavailable('KMS: DisabledException')
    const found: Record<string, number>[] = []
    for (const id of networks) found.push(await login('192.0.2.1', error, id))
    expect(new Set(found.flatMap(Object.values))).toEqual(new Set([1]))
    expect(new Set(found.map(bucketOf)).size).toBe(8)
  })
})

describe('D138: a request that needs the indexer', () => {
  const event = {
    ...{ rawQueryString: accepted.query, headers: accepted.headers },
    requestContext: { requestId: 'request-1' },
  }
  const read = (run: () => void) =>
    counted(
      getRawMetadata(async () => {
        run()
        return { data: new VerbatimJson('[]') }
      }),
      event,
    )
  const failing = (error: Error) => () => {
    throw error
  }
  const ask = () => void downstreamCalls.begin('indexer')

  test.each<[string, () => void, object]>([
    ['that the indexer serves is a success', ask, { indexerRequestFailures: 0 }],
    ['that is answered without it does not count', () => undefined, {}],
    [
      'whose answer is stale is a failure',
      () => {
        ask()
        downstreamCalls.countFailure('indexer')
      },
      { indexerRequestFailures: 1 },
    ],
    [
      'that the indexer does not serve is a failure',
      failing(new IndexerUnavailable('HTTP 500')),
      { indexerRequestFailures: 1 },
    ],
    [
      'for which the indexer failed, whatever the answer, is a failure',
      () => {
        ask()
        downstreamCalls.countFailure('indexer')
        throw new TypeError('x')
      },
      { indexerRequestFailures: 1 },
    ],
    ['with a defect does not count', failing(new TypeError('x')), {}],
    ['while another service is down does not count', failing(new ServiceUnavailable('x')), {}],
    [
      'with a defect after an answer of the indexer does not count',
      () => {
        ask()
        throw new TypeError('x')
      },
      {},
    ],
  ])('%s', async (_, run, metrics) => {
    expect(await read(run)).toEqual(metrics)
  })

  test('without a known API key does not count', async () => {
    expect(
      await counted(
        getRawMetadata(() => Promise.reject()),
        { ...event, headers: {} },
      ),
    ).toEqual({})
  })
})
