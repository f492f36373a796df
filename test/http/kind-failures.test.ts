import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import type { Route } from '../../lib/contract/route.ts'
import {
  InvalidApiKey,
  InvalidPlayerToken,
  InvalidUserJwt,
  MissingApiKey,
  PlayerTokenExpired,
} from '../../lib/domain/credential-failures.ts'
import { IndexerUnavailable, RateLimited, ServiceUnavailable } from '../../lib/domain/failures.ts'
import { ChainUnavailable } from '../../lib/domain/sign-in/failures.ts'
import { kindFailures } from '../../lib/http/kind-failures.ts'
import { problemOf } from '../../lib/http/problem.ts'
import { downstreamCalls } from '../../lib/observability/downstream-calls.ts'
import { metricsIn } from '../support/data/metric-documents.ts'
import { capturedLog, goodUserJwt, invoke, keeping } from '../support/memory/http-chain.ts'

/** What the line of a request says that ends with this error, if there is one. */
const countedOf = (row: Route, error?: Error, network = '192.0.2.1', requestId = 'request-1') => {
  const event = { requestContext: { requestId } } as APIGatewayProxyEventV2
  return kindFailures(row, () => network)(event, error && problemOf(error))
}

describe('D138: a login', () => {
  const login = (...ended: [error?: Error, network?: string, requestId?: string]) => {
    const { serverErrorAnswers: _, ...buckets } = countedOf(routes.createPlayerToken, ...ended)
    return buckets
  }
  const bucketOf = (metrics: object): string => Object.keys(metrics).join()
  const networks = Array.from({ length: 40 }, (_, index) => `198.51.100.${index}`)

  test('counts in one of eight buckets, which is that of its network', () => {
    const successes = networks.map((network) => login(undefined, network))
    for (const [index, success] of successes.entries()) {
      expect(Object.values(success)).toEqual([0])
      const failure = login(new InvalidUserJwt('unknown_key'), networks[index])
      expect(failure).toEqual({ [bucketOf(success)]: 1 })
    }
    expect(new Set(successes.map(bucketOf)).size).toBe(8)
  })

  test('is counted in the line of its request', async () => {
    const log = capturedLog()
    const headers = { authorization: `Bearer ${goodUserJwt}` }
    await invoke(keeping('createPlayerToken'), { headers })
    expect(metricsIn(log[0] ?? {})).toEqual(countedOf(routes.createPlayerToken))
  })

  test.each<ConstructorParameters<typeof InvalidUserJwt>[0]>([
    'algorithm',
    'signature',
    'unknown_key',
    { claim: 'iss', rule: 'is missing' },
    { claim: 'aud', rule: 'is missing' },
  ])('that is refused because of the deployment is a failure: %j', (fault) => {
    expect(Object.values(login(new InvalidUserJwt(fault)))).toEqual([1])
  })

  test.each([
    new InvalidUserJwt('expired'),
    new InvalidUserJwt('malformed'),
    new InvalidUserJwt('player_token'),
    new InvalidUserJwt({ claim: 'wallets', rule: 'is no list' }),
    new RateLimited({ name: 'player_tokens', count: 1, perSeconds: 1 }, 1),
  ])('that is refused for another reason does not count: %s', (error) => {
    expect(login(error)).toEqual({})
  })

  test('that fails because of the service counts as a network of its own', () => {
    const error = new ServiceUnavailable('KMS: DisabledException')
    const found = networks.map((id) => login(error, '192.0.2.1', id))
    expect(new Set(found.flatMap(Object.values))).toEqual(new Set([1]))
    expect(new Set(found.map(bucketOf)).size).toBe(8)
  })
})

describe('D138: a request that needs the indexer', () => {
  const nothing = () => undefined
  const ask = () => void downstreamCalls.begin('indexer')
  const askInVain = () => {
    ask()
    downstreamCalls.countFailure('indexer')
  }
  const defect = new TypeError('x')

  test.each<[string, () => void, Error | undefined, number | undefined]>([
    ['that the indexer serves is a success', ask, undefined, 0],
    ['that is answered without it does not count', nothing, undefined, undefined],
    ['whose answer is stale is a failure', askInVain, undefined, 1],
    ['that the indexer does not serve is a failure', nothing, new IndexerUnavailable(''), 1],
    ['for which it failed, whatever the answer, is a failure', askInVain, defect, 1],
    ['with a defect does not count', nothing, defect, undefined],
    [
      'while another service is down does not count',
      nothing,
      new ServiceUnavailable(''),
      undefined,
    ],
    ['with a defect after an answer of the indexer does not count', ask, defect, undefined],
    [
      'without a known API key does not count',
      nothing,
      new InvalidApiKey('unknown_key'),
      undefined,
    ],
  ])('%s', async (_, call, error, expected) => {
    const metrics = await downstreamCalls.during(async () => {
      call()
      return countedOf(routes.getRawMetadata, error)
    })
    expect(metrics.indexerRequestFailures).toBe(expected)
  })
})

describe('D149: a request of a running game', () => {
  test('is a success of its kinds if it is served', () => {
    const served = { serverErrorAnswers: 0 }
    expect(countedOf(routes.getAllowedNfts)).toEqual({ ...served, credentialFailures: 0 })
    expect(countedOf(routes.getPlayerDetails)).toEqual({ ...served, credentialFailures: 0 })
    expect(kindFailures(routes.createPlayerToken, undefined)({} as never)).toEqual(served)
    expect(countedOf(routes.signIn)).toEqual({ ...served, signInFailures: 0 })
    expect(countedOf(routes.createToken)).toEqual({ ...served, signInFailures: 0 })
    expect(countedOf(routes.getSignedInUser)).toEqual(served)
  })

  test.each<Route>([
    ...[routes.getProduct, routes.getContracts, routes.registerProduct],
    ...[routes.getKeySet, routes.getPublicKey, routes.getAuthorizationServer],
  ])('is not one of a studio, and not a document that caches keep: $id', (row) => {
    expect(countedOf(row)).toEqual({})
  })

  test.each([
    new InvalidApiKey('unknown_key'),
    new InvalidPlayerToken('foreign', 'unknown_key'),
    new InvalidPlayerToken('foreign', { claim: 'aud', rule: 'is missing' }),
  ])('is a failure if its credential is refused because of the deployment: %s', (error) => {
    expect(countedOf(routes.getAllowedNfts, error)).toEqual({ credentialFailures: 1 })
  })

  test.each([
    new MissingApiKey('no_key'),
    new InvalidApiKey('malformed'),
    new InvalidApiKey('key_ended'),
    new InvalidPlayerToken('other_game'),
    new PlayerTokenExpired(),
    new ServiceUnavailable('x'),
  ])('says nothing of credentials otherwise: %s', (error) => {
    expect(countedOf(routes.getAllowedNfts, error)).toEqual({})
  })

  test('is a failure of sign-in if the service has failed', () => {
    const row = routes.signIn
    expect(countedOf(row, new ServiceUnavailable('x'))).toEqual({ signInFailures: 1 })
    expect(countedOf(row, new ChainUnavailable('x'))).toEqual({})
    const limited = new RateLimited({ name: 'sign_ins', count: 1, perSeconds: 1 }, 1)
    expect(countedOf(row, limited)).toEqual({})
  })
})
