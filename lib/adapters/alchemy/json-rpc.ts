import { unverified } from '../../json/unverified.ts'
import type { HttpRequest } from './http-exchange.ts'
import { indexerRequest } from './indexer-request.ts'
import { malformedResponse } from './malformed-response.ts'

type RpcLimits = Pick<HttpRequest, 'maxBodyBytes' | 'maxErrorBytes' | 'units' | 'takePlace'>

/** A call of JSON-RPC 2.0. */
export interface RpcCall extends RpcLimits {
  method: string
  params: readonly unknown[]
}

/** Calls of a method in one request. */
export interface RpcBatch extends RpcLimits {
  method: string
  params: readonly (readonly unknown[])[]
}

/** A JSON-RPC response whose members were not verified. */
export interface RpcResponse {
  error: unknown
  result: unknown
}

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
  const answer = await posted(url, { jsonrpc: '2.0', id, method, params }, limits, timeoutMs)
  const { error, result, id: answered } = responseIn(answer)
  // An error can have the id null.
  if (error === undefined && answered !== id) throw malformedResponse('the result of another call')
  return { error, result }
}

/**
 * Makes the calls of a batch, whose responses are in their order. An error in place of all responses is that of each call. Responses
 * to other calls than these are an IndexerUnavailable.
 */
export async function rpcBatch(
  url: string,
  { method, params, ...limits }: RpcBatch,
  timeoutMs: number,
): Promise<RpcResponse[]> {
  const calls = params.map((each, id) => ({ jsonrpc: '2.0', id, method, params: each }))
  const answer = await posted(url, calls, limits, timeoutMs)
  if (!Array.isArray(answer)) {
    const whole = responseIn(answer)
    if (whole.error === undefined) throw malformedResponse('no batch')
    return calls.map(() => whole)
  }
  if (answer.length !== calls.length) throw malformedResponse('not one response for each call')
  const responses = new Map(answer.map((each: unknown) => [unverified(each)['id'], each]))
  return calls.map(({ id }) => {
    if (!responses.has(id)) throw malformedResponse('the result of another call')
    return responseIn(responses.get(id))
  })
}

async function posted(
  url: string,
  content: unknown,
  limits: RpcLimits,
  timeoutMs: number,
): Promise<unknown> {
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'content-type': 'application/json',
  }
  const body = JSON.stringify(content)
  const response = await indexerRequest(
    { method: 'POST', url, headers, body, ...limits },
    timeoutMs,
  )
  return parsed(response.toString())
}

function responseIn(answer: unknown): RpcResponse & { id: unknown } {
  const { error, result, id } = unverified(answer)
  return { error: error ?? undefined, result, id }
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
