import { ApiError, type ApiResponse, addressFrom } from './api-error.ts'
import { blockNumber, type ChainCall, getBlockByNumber, getLogs } from './chain/chain-methods.ts'
import { callContract } from './chain/contract-call.ts'
import { getChainId, getCode } from './chain/smart-accounts.ts'
import { mint } from './minting.ts'
import { move } from './moving.ts'
import type { Ledger } from './world.ts'

type RpcMethod = (call: ChainCall, params: readonly unknown[]) => unknown

/** Beside methods of Alchemy and of nodes there are two that change the world, as a transaction would. */
const methods: ReadonlyMap<unknown, RpcMethod> = new Map<unknown, RpcMethod>([
  [
    'alchemy_getTokenBalances',
    ({ world, network }, params) => getTokenBalances(world[network], params),
  ],
  ['eth_blockNumber', blockNumber],
  ['eth_call', callContract],
  ['eth_chainId', getChainId],
  ['eth_getBlockByNumber', getBlockByNumber],
  ['eth_getCode', getCode],
  ['eth_getLogs', getLogs],
  ['sample_mint', (call, [minting]) => mint(call, minting)],
  ['sample_move', (call, [moving]) => move(call, moving)],
])

type Request = Partial<Record<'id' | 'method' | 'params', unknown>>

/** Returns the requests of a body: those of a batch, or one. */
export const requestsOf = (body: unknown): Request[] =>
  [body].flat().map((request) => (request ?? {}) as Request)

const maxBatch = 1000

/** Handles a JSON-RPC request for `/v2/<key>`, or a batch: its response has status 200, also with errors in it. */
export function answerRpc(call: ChainCall, body: unknown): ApiResponse {
  const requests = requestsOf(body)
  const [first] = requests
  if (!Array.isArray(body) && first) return answerOne(call, first)
  if (requests.length === 0 || requests.length > maxBatch) {
    throw new ApiError(400, `A batch has 1 to ${maxBatch} requests`, -32600)
  }
  return { status: 200, body: requests.map((request) => answerOne(call, request).body) }
}

function answerOne(call: ChainCall, { id, method, params }: Request): ApiResponse {
  const envelope = {
    jsonrpc: '2.0',
    id: typeof id === 'number' || typeof id === 'string' ? id : null,
  }
  try {
    const respond = methods.get(method)
    if (!respond) throw unsupported(method)
    return { status: 200, body: { ...envelope, result: respond(call, paramsFrom(params)) } }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const body = {
      ...envelope,
      error: { code: error.code ?? invalidParams, message: error.message },
    }
    return { status: error.status, body }
  }
}

const paramsFrom = (params: unknown): readonly unknown[] => (Array.isArray(params) ? params : [])

const unsupported = (method: unknown) =>
  new ApiError(400, `Unsupported method: ${typeof method === 'string' ? method : 'none'}`, -32600)

/** The JSON-RPC code for invalid parameters. */
const invalidParams = -32602

const maxTokens = 1500

function getTokenBalances(ledger: Ledger, [owner, tokens]: readonly unknown[]) {
  const wallet = addressFrom(owner, 'address')
  if (!Array.isArray(tokens) || tokens.length > maxTokens) {
    throw new ApiError(400, 'Invalid token specification in params')
  }
  const tokenBalances = tokens.map((token: unknown) => {
    const contractAddress = addressFrom(token, 'contract address')
    const balances = ledger.balances.get(contractAddress)
    if (!balances) return { contractAddress, tokenBalance: null, error: 'execution reverted' }
    const balance = balances.get(wallet) ?? 0n
    return { contractAddress, tokenBalance: word(balance), error: null }
  })
  return { address: wallet, tokenBalances }
}

/** Returns a number as the EVM does: 32 bytes of hexadecimal. */
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
