import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { beforeEach, describe, expect, test } from 'vitest'
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
import { handlerOf, type LambdaHandler } from '../../lib/http/lambda.ts'
import { problemOf } from '../../lib/http/problem.ts'
import { VerbatimJson } from '../../lib/json/verbatim-json.ts'
import { downstreamCalls } from '../../lib/observability/downstream-calls.ts'
import { metricsIn } from '../support/data/metric-documents.ts'
import {
  accepted,
  allowlisting,
  callers,
  capturedLog,
  getRawMetadata,
  goodApiKey,
  invoke,
  keeping,
  type SentRequest,
} from '../support/memory/http-chain.ts'

/** The failures of a kind that the line of a request has as metrics. */
async function counted(
  handler: LambdaHandler,
  request: SentRequest,
): Promise<Record<string, number>> {
  const log = capturedLog()
  await invoke(handler, request)
  const metrics = Object.entries(metricsIn(log.find((line) => 'operation' in line) ?? {}))
  return Object.fromEntries(
    metrics.filter(([name]) => /^(loginFailures\d|indexerRequestFailures)$/.test(name)),
  )
}

/** A login from a network, which ends with this error, if there is one. */
const login = (network: string, error?: Error, requestId?: string) =>
  counted(
    handlerOf(
      routes.createPlayerToken,
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
      async () => ({ data: { token: 'x' } }),
    ),
    { headers: { authorization: 'Bearer x' }, ...(requestId && { requestId }) },
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
  const read = (run: () => void) =>
    counted(
      getRawMetadata(async () => {
        run()
        return { data: new VerbatimJson('[]') }
      }),
      accepted,
    )
  const failing = (error: Error) => () => {
    throw error
  }
  const defect = failing(new TypeError('x'))
  const failure = { indexerRequestFailures: 1 }
  const ask = () => void downstreamCalls.begin('indexer')
  const askInVain = () => {
    ask()
    downstreamCalls.countFailure('indexer')
  }
  const both = (first: () => void, second: () => void) => () => {
    first()
    second()
  }

  test.each<[string, () => void, object]>([
    ['that the indexer serves is a success', ask, { indexerRequestFailures: 0 }],
    ['that is answered without it does not count', () => undefined, {}],
    ['whose answer is stale is a failure', askInVain, failure],
    ['that the indexer does not serve is a failure', failing(new IndexerUnavailable('')), failure],
    ['for which it failed, whatever the answer, is a failure', both(askInVain, defect), failure],
    ['with a defect does not count', defect, {}],
    ['while another service is down does not count', failing(new ServiceUnavailable('x')), {}],
    ['with a defect after an answer of the indexer does not count', both(ask, defect), {}],
  ])('%s', async (_, run, metrics) => {
    expect(await read(run)).toEqual(metrics)
  })

  test('without a known API key does not count', async () => {
    const handler = getRawMetadata(() => Promise.reject())
    expect(await counted(handler, { query: accepted.query })).toEqual({})
  })
})

describe('D149: a request of a running game', () => {
  const event = { requestContext: { requestId: 'request-1' } } as APIGatewayProxyEventV2
  const countedOf = (row: Route, error?: Error) =>
    kindFailures(row, undefined)(event, error && problemOf(error))

  test('is a success of its kinds if it is served', () => {
    const served = { serverErrorAnswers: 0 }
    expect(countedOf(routes.getAllowedNfts)).toEqual({ ...served, credentialFailures: 0 })
    expect(countedOf(routes.getPlayerDetails)).toEqual({ ...served, credentialFailures: 0 })
    expect(countedOf(routes.createPlayerToken)).toEqual(served)
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

const allowlistNfts = keeping('allowlistNfts')

beforeEach(() => {
  capturedLog()
})

/** The problem of a request with this number of invalid token identifiers. */
async function problemWithFaults(count: number) {
  const body = { ...allowlisting, tokens: Array(count).fill('x') }
  const { json } = await invoke(allowlistNfts, { body, headers: { 'x-api-key': goodApiKey } })
  return json
}

const first =
  'tokens.0 must be an unsigned 256-bit integer, as decimal or 0x hexadecimal text. There are'

describe('D35: a long list of invalid fields', () => {
  test('D35: 100 invalid fields are all listed', async () => {
    const { errors, detail } = await problemWithFaults(100)
    expect(errors).toHaveLength(100)
    expect(detail).toBe(`${first} 100 such fields.`)
  })

  test.each([101, 10_000])(
    'D35: of %i, the first 100 are listed, and the number of the others is given',
    async (count) => {
      const { errors, detail } = await problemWithFaults(count)
      expect(errors.map(({ path }: { path: string }) => path)).toEqual(
        Array.from({ length: 100 }, (_, index) => `tokens.${index}`),
      )
      expect(detail).toBe(
        `${first} ${count} such fields; the first 100 are listed, the other ${count - 100} are not.`,
      )
    },
  )
})
