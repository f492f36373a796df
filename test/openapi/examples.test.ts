import { createPublicKey } from 'node:crypto'
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { calculateJwkThumbprint, type JWK } from 'jose'
import * as v from 'valibot'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type OperationId, routes } from '../../functions/operations.ts'
import { example } from '../../lib/contract/documentation/examples.ts'
import type { AnyDocumentation } from '../../lib/contract/documentation/operation-documentation.ts'
import { type ProblemCode, problems } from '../../lib/contract/problems.ts'
import type { Route } from '../../lib/contract/route.ts'
import {
  maxRangesPerContract,
  maxTokenIdsInUnboundRanges,
} from '../../lib/domain/allowlist/allowlist-limits.ts'
import {
  InvalidPlayerToken,
  InvalidUserJwt,
  PlayerTokenExpired,
} from '../../lib/domain/credential-failures.ts'
import {
  ContractNotConnected,
  CursorExpired,
  IndexerUnavailable,
  KeyEnded,
  KeyNotFound,
  LastKey,
  RateLimited,
  ServiceUnavailable,
  TooManyKeys,
  TooManyNfts,
  TooManyRanges,
  TooManyWebhookContracts,
} from '../../lib/domain/failures.ts'
import type { Limit } from '../../lib/domain/limit/limit.ts'
import { structuredMetadata } from '../../lib/domain/nft/structured-metadata.ts'
import { maxKeysPerProduct } from '../../lib/domain/product/product-key.ts'
import type { StoredProduct } from '../../lib/domain/product/stored-product.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { problemDetails } from '../../openapi/components/problem-details.ts'
import { problemDocumentation } from '../../openapi/components/problems.ts'
import { openApi } from '../../openapi/openapi-document.ts'
import { documentationOf, operationDocumentation } from '../../openapi/operations.ts'
import { callers, capturedLog, goodReference, storedProduct } from '../support/memory/http-chain.ts'

// The examples pass through the same chain as every request, so that the document can only show
// what the service returns.

// biome-ignore lint/suspicious/noExplicitAny: the tests look into any part of the document
const document: any = openApi()

const all = Object.entries<Route>(routes).map(([name, route]) => {
  const id = name as OperationId
  const documentation = documentationOf(id)
  const described = document.paths[route.paths[0]][route.method.toLowerCase()]
  return { id, route, documentation, described }
})

beforeEach(() => {
  capturedLog()
})

interface Sent {
  query?: string
  body?: unknown
  headers?: Record<string, string>
}

const credentials = {
  'x-api-key': example.apiKey,
  authorization: 'Bearer user.jwt',
  'x-player-token': example.playerToken,
}

const acceptAll = {
  openChains: ['POLYGON', 'BSC'],
  productUse: {
    isLimited: false,
    permit: async () => undefined,
  },
  apiKeys: { referenceOf: async () => goodReference },
  productAccess: callers.productAccess,
  userJwts: { verify: async () => ({ subject: '1', username: 'neo', wallets: [], issuedAt: 0 }) },
  playerTokens: { verify: async () => ({ userId: example.player.userId }) },
  playerTokenProduct: 'optional',
  sourceAddressOf: callers.sourceAddressOf,
  players: { get: async () => ({ ...example.player, wallets: [] }) },
}

/** Sends a request to an operation whose implementation is `run`, and returns the response. */
async function answer(
  id: OperationId,
  { query = '', body, headers = credentials }: Sent,
  run: (input: { body?: unknown; query?: unknown }) => unknown = () => ({ data: null }),
  ports: object = {},
) {
  const operation = { id, route: routes[id], run: async (input: never) => run(input) }
  const handler = lambda(operation as never, { ...acceptAll, ...ports } as never)
  const event = {
    headers,
    rawQueryString: query,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: { requestId: example.requestId },
  }
  const context = { functionName: 'the-function', getRemainingTimeInMillis: () => 29_000 }
  const {
    statusCode,
    headers: answered,
    body: text,
  } = await handler(event as unknown as APIGatewayProxyEventV2, context as Context)
  return { status: statusCode, headers: answered ?? {}, body: JSON.parse(text ?? '') }
}

const fail = (error: Error) => () => {
  throw error
}

/** Query parameters in the form that the document names: `style: form`, `explode: true`. */
function queryOf({ parameters = {} }: AnyDocumentation): string {
  const query = new URLSearchParams()
  for (const [name, parameter] of Object.entries(parameters)) {
    for (const item of [parameter.example].flat()) query.append(name, String(item))
  }
  return query.toString()
}

describe('examples of requests', () => {
  const withBody = all.flatMap(({ id, documentation }) =>
    Object.entries(documentation.requests ?? {}).map(([name, { value }]) => ({ id, name, value })),
  )

  test.each(withBody)('$id accepts the body "$name"', async ({ id, value }) => {
    const run = vi.fn(() => ({ data: null }))
    expect((await answer(id, { body: value }, run)).status).toBe(200)
    expect(run).toHaveBeenCalledTimes(1)
  })

  const withQuery = all.filter(({ route }) => route.query)

  test.each(withQuery)('$id accepts its parameters', async ({ id, route, documentation }) => {
    const seen = vi.fn((_: { query?: unknown }) => ({ data: null }))
    expect((await answer(id, { query: queryOf(documentation) }, seen)).status).toBe(200)
    const { query } = seen.mock.calls[0]?.[0] ?? {}
    expect(Object.keys(query as object)).toEqual(Object.keys(route.query?.entries ?? {}))
  })

  const refusing = all.filter(({ documentation }) => documentation.invalidRequest)

  test.each(refusing)(
    'D2: $id rejects the request as its example of invalid_request shows',
    async (row) => {
      const { sent } = row.documentation.invalidRequest ?? {}
      const { 'x-player-token': _, ...headers } = credentials
      const { status, body } = await answer(row.id, { ...(sent as Sent), headers })
      const { examples } = row.described.responses[400].content['application/problem+json']
      expect(status).toBe(400)
      expect(body).toEqual(examples.invalid_request.value)
    },
  )
})

describe('examples of responses', () => {
  const answers = all.flatMap((row) =>
    Object.entries(row.documentation.answers).map(([name, { value }]) => ({ ...row, name, value })),
  )

  test.each(answers)('$id: "$name" is the response of the service', async (row) => {
    const { id, route, name, value, documentation, described } = row
    const data = route.form === 'bare' ? value : (value as { data: unknown }).data
    expect(v.safeParse(route.answer, data).issues).toBeUndefined()
    const [request] = Object.values(documentation.requests ?? {})
    const sent = { query: queryOf(documentation), body: request?.value }
    const { content, headers } = described.responses[200]
    const shown = content['application/json'].examples[name].value
    const freshness = route.remembered && { asOf: Date.parse(shown.asOf) }
    const output = route.form === 'bare' ? { data } : { ...(value as object), ...freshness }
    const given = await answer(id, sent, () => output)
    expect(given.body).toEqual(shown)
    const [, header = ''] = headers['Cache-Control'].$ref.match(/([^/]+)$/)
    expect(given.headers['cache-control']).toBe(document.components.headers[header].schema.const)
  })

  test('4.8 and 4.9 show the same NFTs', () => {
    const gateways = { ipfs: 'https://ipfs.io/ipfs/', arweave: 'https://arweave.net/' }
    const raw = operationDocumentation.getRawMetadata.answers['whole']?.value.data
    const structured = raw?.map(({ rawMetadata, ...entry }) => ({
      ...entry,
      formattedMetadata: structuredMetadata(JSON.stringify(rawMetadata), gateways),
    }))
    const shown = operationDocumentation.getStructuredMetadata.answers['whole']?.value.data
    expect(shown).toEqual(structured)
  })

  test('D32: the keys of the key set are named by their thumbprints (RFC 7638)', async () => {
    const keys = operationDocumentation.getKeySet.answers['keys']?.value.keys as JWK[]
    const thumbprints = await Promise.all(keys.map((key) => calculateJwkThumbprint(key)))
    expect(keys.map(({ kid }) => kid)).toEqual(thumbprints)
  })

  test('D32: the public key is that of the user JWTs in the key set', () => {
    const key = createPublicKey({ key: example.userJwtKey, format: 'jwk' })
    expect(key.export({ format: 'der', type: 'spki' }).toString('base64')).toBe(example.publicKey)
  })
})

describe('examples of problems', () => {
  const player = { query: '' }
  const contract = { address: example.contracts.gear, chain: 'BSC' }
  const unbind = (chain: string) => ({
    query: `contractAddress=${contract.address}&chain=${chain}`,
  })
  const unbinding = { query: `${unbind('BSC').query}&tokens=*` }
  const refuse = (error: Error) => ({ verify: async () => fail(error)() })
  const creation = { body: { label: 'Game servers', scope: 'READ' } }
  const registration = { name: 'n'.repeat(1_048_576) }
  const many = new TooManyWebhookContracts('Events are for 20 contracts; this product has 21.')

  const answerOf = (stored: StoredProduct) =>
    answer('getProduct', {}, undefined, {
      productAccess: { ...callers.productAccess, get: async () => stored },
    })

  const cases: Record<ProblemCode, () => ReturnType<typeof answer>> = {
    invalid_json: () => answer('registerProduct', { body: '{' }),
    invalid_request: () => answer('unbindContract', unbind('SOLANA')),
    cursor_expired: () => answer('getRawMetadata', player, fail(new CursorExpired())),
    missing_api_key: () => answer('getProduct', { headers: {} }),
    invalid_api_key: () =>
      answer('getProduct', {}, undefined, { apiKeys: { referenceOf: async () => undefined } }),
    missing_user_token: () => answer('createPlayerToken', { headers: {} }),
    invalid_user_token: () =>
      answer('createPlayerToken', {}, undefined, {
        userJwts: refuse(new InvalidUserJwt('expired')),
      }),
    invalid_player_token: () =>
      answer('getPlayerDetails', {}, undefined, {
        playerTokens: refuse(new InvalidPlayerToken('foreign')),
      }),
    player_token_expired: () =>
      answer('getPlayerDetails', {}, undefined, { playerTokens: refuse(new PlayerTokenExpired()) }),
    contract_not_connected: () =>
      answer('unbindContract', unbind('BSC'), fail(new ContractNotConnected(contract as never))),
    product_stopped: () => answerOf(storedProduct({ stoppedAt: '2026-11-02T00:00:00.000Z' })),
    insufficient_scope: () => answerOf(storedProduct({}, { scope: 'READ' })),
    key_not_found: () => answer('endKey', {}, fail(new KeyNotFound())),
    key_ended: () => answer('endKey', {}, fail(new KeyEnded())),
    last_key: () => answer('endKey', {}, fail(new LastKey())),
    too_many_keys: () => answer('createKey', creation, fail(new TooManyKeys(maxKeysPerProduct))),
    too_many_webhook_contracts: () => answer('getWebhookEvents', {}, fail(many)),
    too_many_ranges: () =>
      answer('unbindNfts', unbinding, fail(new TooManyRanges('contract', maxRangesPerContract))),
    too_many_nfts: () =>
      answer('unbindNfts', unbinding, fail(new TooManyNfts(maxTokenIdsInUnboundRanges))),
    payload_too_large: () => answer('registerProduct', { body: registration }),
    unsupported_media_type: () =>
      answer('registerProduct', { body: 'name=x', headers: { 'content-type': 'text/plain' } }),
    rate_limited: () => {
      const { limit } = problemDocumentation.rate_limited
      return answer('getPlayerDetails', {}, fail(new RateLimited(limit as Limit, 12)))
    },
    internal_error: () => answer('getProduct', {}, fail(new Error('a defect'))),
    indexer_unavailable: () => answer('getRawMetadata', player, fail(new IndexerUnavailable(''))),
    service_unavailable: () => answer('getProduct', {}, fail(new ServiceUnavailable(''))),
  }

  test.each(Object.entries(cases))('%s is the response of the service', async (code, send) => {
    const { status, headers, body } = await send()
    const shown = document.components.examples[code].value
    expect(body).toEqual(shown)
    expect(v.safeParse(problemDetails, shown).issues).toBeUndefined()
    expect(status).toBe(problems[code as ProblemCode].status)
    const { 'WWW-Authenticate': challenge, 'Retry-After': retry } = document.components.headers
    if (status === 401) expect(challenge.schema.enum).toContain(headers['www-authenticate'])
    else expect(headers).not.toHaveProperty('www-authenticate')
    if (status === 429 || status === 503)
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
    else expect(headers).not.toHaveProperty('retry-after')
    expect(retry.schema.type).toBe('integer')
  })
})
