import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { type OperationId, routes } from '../../functions/operations.ts'
import { example } from '../../lib/contract/documentation.ts'
import type { Route } from '../../lib/contract/route.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { callers, goodReference } from '../support/memory/http-chain.ts'

// The examples pass through the same chain as every request, so that the document can only show
// what the service returns.

/** A request, as the examples have it. */
export interface Sent {
  query?: string
  body?: unknown
  headers?: Record<string, string>
}

/** The credentials of every operation. */
export const credentials = {
  'x-api-key': example.apiKey,
  authorization: 'Bearer user.jwt',
  'x-player-token': example.playerToken,
}

const wallet = '0x22d518c449312143be64cd547c510a1a4ebed207'

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
  sessions: { get: async () => ({ userId: example.player.userId, wallet, beganAt: 1 }) },
  walletLists: { get: async () => ({ wallets: [wallet] }) },
}

/** Sends a request to an operation whose implementation is `run`, and returns the response. */
export async function answer(
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
    body: textOf(body, routes[id]),
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

const textOf = (body: unknown, { oauth }: Route): string | undefined => {
  if (typeof body === 'string') return body
  return oauth ? `${new URLSearchParams(body as Record<string, string>)}` : JSON.stringify(body)
}

/** An operation that fails. */
export const fail = (error: Error) => () => {
  throw error
}
