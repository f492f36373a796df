import { type OperationId, routes } from '../../functions/operations.ts'
import { example } from '../../lib/contract/documentation.ts'
import type { Route } from '../../lib/contract/route.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { callers, goodReference, invoke, type SentRequest } from '../support/memory/http-chain.ts'

// The examples pass through the same chain as every request, so that the document can only show
// what the service returns.

/** A request, as the examples have it. */
export type Sent = Pick<SentRequest, 'query' | 'body' | 'headers'>

/** The credentials of every operation. */
export const credentials = {
  'x-api-key': example.apiKey,
  authorization: 'Bearer user.jwt',
  'x-player-token': example.playerToken,
}

const wallet = '0x22d518c449312143be64cd547c510a1a4ebed207'

const acceptAll = {
  ...callers,
  apiKeys: { referenceOf: async () => goodReference },
  userJwts: { verify: async () => ({ subject: '1', username: 'neo', wallets: [], issuedAt: 0 }) },
  playerTokens: { verify: async () => ({ userId: example.player.userId }) },
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
  const all = { ...acceptAll, ...ports } as never
  const handler = handlerOf(routes[id] as Route, all, (async (input: object) =>
    run(input)) as never)
  const { oauth }: Route = routes[id]
  const isForm = oauth && typeof body !== 'string'
  const sent = isForm ? `${new URLSearchParams(body as Record<string, string>)}` : body
  const { requestId } = example
  const answered = await invoke(handler, { query, headers, body: sent, requestId })
  return { status: answered.statusCode, headers: answered.headers ?? {}, body: answered.json }
}

/** An operation that fails. */
export const fail = (error: Error) => () => {
  throw error
}
