import { ApiError, type ApiResponse } from './api-error.ts'
import { addressFrom } from './call-arguments.ts'
import type { Json } from './json-text.ts'
import { type MintCall, mint } from './minting.ts'
import type { Ledger } from './world.ts'

/**
 * Handles a JSON-RPC request for `/v2/<key>`. Batches are not supported. Beside Alchemy's methods there is
 * `sample_mint`, which changes the world ({@link mint}).
 */
export function answerRpc(call: MintCall, request: unknown): ApiResponse {
  const { id, method, params } = (request ?? {}) as Record<'id' | 'method' | 'params', unknown>
  const envelope = {
    jsonrpc: '2.0',
    id: typeof id === 'number' || typeof id === 'string' ? id : null,
  }
  try {
    return { status: 200, body: { ...envelope, result: resultOf(call, method, params) } }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const body = {
      ...envelope,
      error: { code: error.code ?? invalidParams, message: error.message },
    }
    return { status: error.status, body }
  }
}

function resultOf(call: MintCall, method: unknown, params: unknown): Json {
  if (method === 'alchemy_getTokenBalances') {
    return getTokenBalances(call.world[call.network], params)
  }
  if (method === 'sample_mint')
    return { ...mint(call, Array.isArray(params) ? params[0] : undefined) }
  throw unsupported(method)
}

const unsupported = (method: unknown) =>
  new ApiError(400, `Unsupported method: ${typeof method === 'string' ? method : 'none'}`, -32600)

/** The JSON-RPC code for invalid parameters. */
const invalidParams = -32602

const maxTokens = 1500

function getTokenBalances(ledger: Ledger, params: unknown): Json {
  const [owner, filter = 'erc20'] = Array.isArray(params) ? params : []
  const wallet = addressFrom(owner, 'address')
  const tokens = filter === 'erc20' ? [...ledger.balances.keys()] : filter
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
  const held = tokenBalances.filter(({ tokenBalance }) => tokenBalance !== word(0n))
  return { address: wallet, tokenBalances: filter === 'erc20' ? held : tokenBalances }
}

/** Returns a number as the EVM does: 32 bytes of hexadecimal. */
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
