import { unverified } from '../../json/unverified.ts'
import type { TakePlace } from './answer-places.ts'
import { indexerRequest } from './indexer-request.ts'
import { malformedResponse } from './malformed-response.ts'

/** A call of JSON-RPC 2.0. */
export interface RpcCall {
  method: string
  params: readonly unknown[]
  /** The largest response that is read, in bytes. */
  maxBodyBytes: number
  /** The largest body of a 400 that is read, in bytes; by default, none is. */
  maxErrorBytes?: number | undefined
  /** The compute units that the indexer bills for the call. */
  units: number
  /** Waits until the body of the answer may be read. */
  takePlace?: TakePlace | undefined
}

/** A JSON-RPC response whose members were not verified. */
export interface RpcResponse {
  error: unknown
  result: unknown
}

/** Each HTTP request has one call. */
const id = 1

/**
 * Calls a method by plain JSON-RPC, because the SDK loads ethers for it, whose errors contain the URL and the key. A
 * response to another call is an IndexerUnavailable.
 */
export async function rpcResponse(
  url: string,
  { method, params, ...limits }: RpcCall,
  timeoutMs: number,
): Promise<RpcResponse> {
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
  const response = await indexerRequest(
    { method: 'POST', url, headers, body, ...limits },
    timeoutMs,
  )
  const { error = null, result, id: answered } = unverified(parsed(response.toString()))
  // An error can have the id null.
  if (error === null && answered !== id) throw malformedResponse('the result of another call')
  return { error: error ?? undefined, result }
}

/** The result of a call. An error in its place is an IndexerUnavailable. */
export async function rpcResult(url: string, call: RpcCall, timeoutMs: number): Promise<unknown> {
  const { error, result } = await rpcResponse(url, call, timeoutMs)
  if (error !== undefined) throw malformedResponse('a JSON-RPC error')
  return result
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformedResponse('not JSON')
  }
}
