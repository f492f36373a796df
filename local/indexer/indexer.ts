import { ApiError, type ApiResponse } from './api-error.ts'
import { answerRpc, requestsOf } from './json-rpc.ts'
import { type KeyFault, keyFaultError } from './key-faults.ts'
import { type NftMethod, nftMethods } from './nft-api.ts'
import { type Network, networks, type World } from './world.ts'

/**
 * The number of calls of each method, by its name, including calls that fail and those in a JSON-RPC batch. `clear()`
 * resets all counts.
 */
type RequestCounts = Map<string, number>

/** A request, however it arrives. */
interface IndexerRequest {
  method: string | undefined
  /** The path and the query string. */
  target: string
  /** Reads the body as JSON. Rejects with an {@link ApiError} if it is not JSON, or too large. */
  body(): Promise<unknown>
}

/** How an indexer serves a world. */
export interface IndexerOptions {
  world: World
  /** The clock, in milliseconds since 1970, which makes the blocks of the chains; by default that of this machine. */
  now?: () => number
  /** What is wrong with the key of a call about a network; by default nothing, so that any key is accepted. */
  keyFault?: (network: Network, key: string) => KeyFault | undefined
}

/** The sample indexer without a server. */
export interface Indexer {
  requests: RequestCounts
  /** The number of HTTP requests about each network, including those that fail. `clear()` resets all counts. */
  networks: Map<Network, number>
  /** Returns the response to a request. Rejects with an {@link ApiError} if the request is wrong. */
  respond(request: IndexerRequest): Promise<ApiResponse>
}

/**
 * Serves a world with Alchemy's APIs: the NFT API v3 under `/<network>/nft/v3/<key>/<method>` and JSON-RPC under
 * `/<network>/v2/<key>`. Changes of the world have immediate effect.
 */
export function createIndexer({ world, now = Date.now, keyFault }: IndexerOptions): Indexer {
  const requests: RequestCounts = new Map()
  const networkCounts = new Map<Network, number>()
  return {
    requests,
    networks: networkCounts,
    async respond(request) {
      const [path = '', ...search] = request.target.split('?')
      const target = targetOf(path)
      const { network } = target
      networkCounts.set(network, (networkCounts.get(network) ?? 0) + 1)
      const fault = target.key ? keyFault?.(network, target.key) : 'unknown'
      if (fault) throw keyFaultError(fault, network)
      if (target.api === 'v2') {
        if (request.method !== 'POST') throw new ApiError(405, 'Method not allowed')
        const body = await request.body()
        for (const { method } of requestsOf(body)) count(requests, method)
        return answerRpc({ world, network, now: now() }, body)
      }
      const method = methodNamed(target.method, request.method)
      count(requests, target.method)
      const body = method.verb === 'POST' ? await request.body() : undefined
      const query = new URLSearchParams(search.join('?'))
      const call = { world, network, now: now(), query, body }
      return { status: 200, body: method.respond(call) }
    },
  }
}

type Target =
  | { network: Network; key: string; api: 'v2' }
  | { network: Network; key: string; api: 'nft'; method: string }

function targetOf(path: string): Target {
  const [, name, ...rest] = path.split('/')
  const network = networks.find((network) => network === name)
  if (!network) throw new ApiError(404, `Unsupported network: ${name}`)
  const [first, second, third = '', fourth = ''] = rest
  if (first === 'v2' && rest.length <= 2) return { network, key: second ?? '', api: 'v2' }
  if (first === 'nft' && second === 'v3' && rest.length <= 4) {
    return { network, key: third, api: 'nft', method: fourth }
  }
  throw new ApiError(404, 'Not found')
}

function methodNamed(name: string, verb: string | undefined): NftMethod {
  const method = nftMethods.get(name)
  if (!method) throw new ApiError(404, `Unsupported method: ${name}`)
  if (method.verb !== verb) throw new ApiError(405, `${name} is called with ${method.verb}`)
  return method
}

function count(requests: RequestCounts, method: unknown): void {
  if (typeof method === 'string') requests.set(method, (requests.get(method) ?? 0) + 1)
}

/** Parses the body of a request. Throws an {@link ApiError} 400 if it is not JSON. */
export function parsedBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError(400, 'Failed to parse request body', -32700)
  }
}

/** Returns the response of a failed call: the status of an {@link ApiError}, otherwise 500. */
export function errorResponse(error: unknown): ApiResponse {
  if (!(error instanceof ApiError)) {
    console.error('sample indexer:', error)
    return { status: 500, body: { error: { message: 'Internal server error' } } }
  }
  const { code, message, status } = error
  return { status, body: { error: { ...(code !== undefined && { code }), message } } }
}
