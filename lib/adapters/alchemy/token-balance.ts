import type { Address } from '../../domain/address.ts'
import { indexerRequest } from './indexer-request.ts'
import { malformedAnswer } from './malformed-answer.ts'

/** A JSON-RPC answer that may be nonsense. */
type RpcAnswer = {
  error?: unknown
  result?: { tokenBalances?: ({ [member in keyof TokenBalance]?: unknown } | null)[] }
} | null

/** The largest answer that is read, in bytes; one is of a few hundred. */
const maxAnswerBytes = 1_048_576

interface TokenBalance {
  contractAddress: string
  tokenBalance: string
  error: string | null
}

/**
 * An account's balance of an ERC-20 token, in its smallest unit, by `alchemy_getTokenBalances`. Plain
 * JSON-RPC: the SDK would load ethers for it, whose errors hold the URL and with it the key.
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
      maxAnswerBytes,
    },
    timeoutMs,
  )
  return balanceIn(body.toString(), contract)
}

function balanceIn(text: string, contract: Address): bigint {
  const answer = parsed(text)
  if (answer?.error) throw malformedAnswer('a JSON-RPC error')
  const balances = answer?.result?.tokenBalances
  const balance = Array.isArray(balances) && balances.length === 1 ? balances[0] : undefined
  if (String(balance?.contractAddress).toLowerCase() !== contract) {
    throw malformedAnswer('not the balance asked for')
  }
  if (balance?.error) throw malformedAnswer('a balance that could not be read')
  const hex = balance?.tokenBalance
  // 256 bits are 64 digits; no digits at all are what a call without a result returns.
  if (typeof hex !== 'string' || !/^0x[0-9a-fA-F]{0,64}$/.test(hex)) {
    throw malformedAnswer('a balance that is none')
  }
  return hex === '0x' ? 0n : BigInt(hex)
}

function parsed(text: string): RpcAnswer {
  try {
    return JSON.parse(text)
  } catch {
    throw malformedAnswer('not JSON')
  }
}
