import type { Address } from '../../domain/address.ts'
import { IndexerUnavailable } from '../../domain/failures.ts'
import { indexerRequest } from './indexer-request.ts'
import { malformedResponse } from './malformed-response.ts'

/** A JSON-RPC response of unverified form. */
type RpcResponse = {
  error?: unknown
  result?: { tokenBalances?: ({ [member in keyof TokenBalance]?: unknown } | null)[] }
} | null

/** The largest response that is read, in bytes. The usual size is a few hundred. */
const maxBodyBytes = 1_048_576

interface TokenBalance {
  contractAddress: string
  tokenBalance: string
  error: string | null
}

/**
 * The balance of an ERC-20 token in an account, in its smallest unit, by `alchemy_getTokenBalances`. It
 * is plain JSON-RPC, because the SDK loads ethers for it, whose errors contain the URL and the key.
 */
export async function tokenBalance(
  url: string,
  { contract, owner }: { contract: Address; owner: Address },
  timeoutMs: number,
): Promise<bigint> {
  const method = 'alchemy_getTokenBalances'
  const body = await indexerRequest(
    {
      method: 'POST',
      url,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [owner, [contract]] }),
      maxBodyBytes,
    },
    timeoutMs,
  )
  return balanceIn(body.toString(), contract)
}

function balanceIn(text: string, contract: Address): bigint {
  const answer = parsed(text)
  if (answer?.error !== undefined && answer.error !== null)
    throw malformedResponse('a JSON-RPC error')
  const balances = answer?.result?.tokenBalances
  const balance = Array.isArray(balances) && balances.length === 1 ? balances[0] : undefined
  if (String(balance?.contractAddress).toLowerCase() !== contract) {
    throw malformedResponse('not the balance asked for')
  }
  if (balance?.error) throw malformedResponse('a balance that could not be read')
  const hex = balance?.tokenBalance
  // An address without a contract has no balance, so the players would look poor (D39).
  if (hex === '0x') {
    throw new IndexerUnavailable('configuration: SERVICE_TOKEN names no contract of its chain', 60)
  }
  // 64 digits are 256 bits.
  if (typeof hex !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(hex)) {
    throw malformedResponse('a balance that is none')
  }
  return BigInt(hex)
}

function parsed(text: string): RpcResponse {
  try {
    return JSON.parse(text)
  } catch {
    throw malformedResponse('not JSON')
  }
}
