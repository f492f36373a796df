import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { expect, onTestFinished, vi } from 'vitest'
import { type OperationId, routes } from '../../../functions/operations.ts'
import type { Route } from '../../../lib/contract/route.ts'
import { InvalidPlayerToken, InvalidUserJwt } from '../../../lib/domain/credential-failures.ts'
import type { ProductUse } from '../../../lib/domain/ports/limits.ts'
import type { Players, PlayerTokens, UserJwts } from '../../../lib/domain/ports/players.ts'
import type { ApiKeys, ProductAccess } from '../../../lib/domain/ports/products.ts'
import type { KeyId, KeyReference, ProductKey } from '../../../lib/domain/product/product-key.ts'
import type { StoredProduct } from '../../../lib/domain/product/stored-product.ts'
import type { UsageRecorder } from '../../../lib/domain/usage/usage-recorder.ts'
import { handlerOf, type LambdaHandler } from '../../../lib/http/lambda.ts'
import { VerbatimJson } from '../../../lib/json/verbatim-json.ts'
import { productId } from './owned-nfts.ts'

export const goodApiKey = '2f7b9a54-3a0e-4b1c-9d57-5d0c7a1f6e21'
export const goodUserJwt = 'eyJhbGciOiJFUzI1NiJ9.user.jwt'
export const goodPlayerToken = 'eyJhbGciOiJFUzI1NiJ9.player.token'

/** The reference of {@link goodApiKey}. */
export const goodReference: KeyReference = { productId, keyId: 'goodKey' as KeyId }

/** The product of {@link goodApiKey}, with changes of the product and of its key. */
export const storedProduct = (
  changes: Partial<StoredProduct> = {},
  key: Partial<ProductKey> = {},
): StoredProduct => {
  const { keyId } = goodReference
  const createdAt = '2026-11-01T00:00:00.000Z'
  return {
    productId,
    product: { name: 'Ember', contactEmail: 'a@b', companyName: 'Kiln' },
    createdAt,
    keys: [
      {
        ...{ keyId, digest: 'digest', scope: 'MANAGE', label: 'Registration', last4: '3a1f' },
        ...{ createdAt, ...key },
      },
    ],
    keysVersion: 1,
    ...changes,
  }
}

/** The known callers: one product, one user, one player. */
export const callers = {
  apiKeys: {
    referenceOf: async (apiKey) => (apiKey === goodApiKey ? goodReference : undefined),
  } satisfies ApiKeys,
  productAccess: {
    get: async () => storedProduct(),
    noteUse: async () => undefined,
  } satisfies ProductAccess,
  productUse: {
    isLimited: false,
    permit: async () => undefined,
    reserveCalls: () => ({ take: async () => undefined, end: () => 0 }),
    count: async () => undefined,
    add: async () => undefined,
    hasHalfLeft: async () => true,
  } satisfies ProductUse,
  usage: {
    count: () => undefined,
    isDue: () => false,
    writeDue: async () => undefined,
  } satisfies UsageRecorder,
  userJwts: {
    verify: async (userJwt) => {
      if (userJwt !== goodUserJwt) throw new InvalidUserJwt('expired')
      return { issuer: 'login', subject: '42', username: 'neo', wallets: [], issuedAt: 0 }
    },
  } satisfies UserJwts,
  playerTokens: {
    verify: async (playerToken) => {
      if (playerToken !== goodPlayerToken) throw new InvalidPlayerToken('foreign')
      return { userId: 42, issuedAt: 0 }
    },
  } satisfies PlayerTokens,
  players: {
    record: async () => undefined,
    get: async ({ userId }) => ({ userId, username: 'neo', wallets: [] }),
  } satisfies Players,
  playerTokenProduct: 'optional' as const,
  playerLimits: [],
  playerDigest: (userId: number) => `the digest of ${userId}`,
  openChains: ['POLYGON', 'BSC'] as const,
  sourceAddressOf: () => '192.0.2.1',
}

/** The operation of 4.8, with another implementation. */
export const getRawMetadata = (
  run: () => Promise<{ data: VerbatimJson; nextCursor?: string; asOf?: number }>,
) => handlerOf(routes.getRawMetadata, callers, async () => ({ asOf: 0, ...(await run()) }))
export const answering = getRawMetadata(async () => ({ data: new VerbatimJson('[]') }))
export const throwing = (error: unknown) => getRawMetadata(() => Promise.reject(error))

/** The latest input of an operation of {@link keeping}. */
export const kept: { input: Record<string, unknown> | undefined } = { input: undefined }

/** An operation that keeps its input and returns nothing of interest. */
export const keeping = (id: OperationId) =>
  handlerOf(routes[id] as Route, callers as never, async (input: unknown) => {
    kept.input = input as Record<string, unknown>
    return { data: [] as never }
  })

/** A request that {@link getRawMetadata} accepts. */
export const accepted = {
  query: `playerToken=${goodPlayerToken}`,
  headers: { 'x-api-key': goodApiKey, authorization: 'Bearer top.secret' },
}

/** The fields of a registration, and those of an allowlisting. */
export const registration = { name: 'Ember', contactEmail: 'a@b', companyName: 'Kiln' }
export const allowlisting = {
  contractAddress: `0x${'a'.repeat(40)}`,
  contractDescription: 'lanterns and kites',
  tokens: ['1'],
}

/** A request as API Gateway passes it on: the raw query, and header names in lower case. */
export interface SentRequest {
  query?: string
  headers?: Record<string, string>
  /** JSON, or text as it is. */
  body?: unknown
  isBase64Encoded?: boolean
  remainingMilliseconds?: number
  requestId?: string
}

/** Calls a handler like Lambda, and returns its response with the parsed body. */
export async function invoke(handler: LambdaHandler, request: SentRequest = {}) {
  const {
    query = '',
    headers = {},
    body,
    isBase64Encoded = false,
    requestId = 'request-1',
  } = request
  const event = {
    rawQueryString: query,
    headers,
    requestContext: { requestId },
    isBase64Encoded,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  } as APIGatewayProxyEventV2
  const { remainingMilliseconds = 29_000 } = request
  const getRemainingTimeInMillis = () => remainingMilliseconds
  const context = {
    awsRequestId: 'invocation-1',
    functionName: 'the-deployment-get-raw-metadata',
    functionVersion: '7',
    getRemainingTimeInMillis,
  } as Context
  const answer = await handler(event, context)
  return { ...answer, json: JSON.parse(answer.body ?? '') }
}

/** The invalid fields of an error response, of which {@link keeping} has kept nothing. */
export function errorsOf({ statusCode, json }: Awaited<ReturnType<typeof invoke>>) {
  expect([statusCode, json.code]).toEqual([400, 'invalid_request'])
  expect(kept.input).toBeUndefined()
  return json.errors
}

/** Captures the log lines of a test, in place of printing them. */
export function capturedLog(): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = []
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    // One whole line at a time, as Lambda reads them.
    expect(line).toMatch(/^[^\n]*\n$/)
    return lines.push(JSON.parse(String(line))) > 0
  })
  onTestFinished(() => spy.mockRestore())
  return lines
}
