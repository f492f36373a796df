import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError, type ApiResponse } from './api-error.ts'
import type { ChainOptions } from './chain/chain-options.ts'
import { answerRpc, requestsOf } from './json-rpc.ts'
import { serialize } from './json-text.ts'
import { type NftMethod, nftMethods } from './nft-api.ts'
import { createPageKeys, type PageKeys } from './page-keys.ts'
import { type Network, networks, type World } from './world.ts'

/**
 * The number of calls of each method, by its name, including calls that fail and those in a JSON-RPC batch. `clear()`
 * resets all counts.
 */
type RequestCounts = Map<string, number>

/** A running indexer. */
export interface IndexerServer {
  /** The value for INDEXER_URL. */
  url: string
  requests: RequestCounts
  /** The number of HTTP requests about each network, including those that fail. `clear()` resets all counts. */
  networks: Map<Network, number>
  close(): Promise<void>
}

/** The state that the request handlers use. */
interface ServerState {
  world: World
  now: () => number
  pageKeys: PageKeys
  requests: RequestCounts
  networks: Map<Network, number>
  chain: ChainOptions
}

const maxBodyBytes = 1_048_576

/**
 * Serves a world on 127.0.0.1 with Alchemy's APIs: the NFT API v3 under `/<network>/nft/v3/<key>/<method>`
 * and JSON-RPC under `/<network>/v2/<key>`. Accepts any key. Changes of the world have immediate effect.
 * `port` 0, the default, selects a free port. `now` is the clock, in milliseconds since 1970; it makes the blocks of the
 * chains. `chain` is read with each call.
 */
export async function startIndexerServer(options: {
  world: World
  port?: number
  now?: () => number
  chain?: ChainOptions
}): Promise<IndexerServer> {
  const { world, port = 0, now = Date.now, chain = {} } = options
  const requests: RequestCounts = new Map()
  const asked = new Map<Network, number>()
  const state: ServerState = {
    ...{ world, now, requests, chain },
    networks: asked,
    pageKeys: createPageKeys(),
  }
  const server = createServer((request, response) => {
    handle(state, request)
      .then((result) => send(response, result))
      .catch((error: unknown) => response.destroyed || send(response, errorResponse(error)))
  })
  // Longer than clients keep idle connections, so that no request meets a connection that closes.
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    networks: asked,
    close,
  }
}

/** The target of a request. */
type Target =
  | { network: Network; key: string; api: 'v2' }
  | { network: Network; key: string; api: 'nft'; method: string }

async function handle(state: ServerState, request: IncomingMessage): Promise<ApiResponse> {
  const [path = '', ...search] = (request.url ?? '').split('?')
  const target = targetOf(path)
  state.networks.set(target.network, (state.networks.get(target.network) ?? 0) + 1)
  if (!target.key) throw new ApiError(401, 'Must be authenticated!')
  if (target.api === 'v2') {
    if (request.method !== 'POST') throw new ApiError(405, 'Method not allowed')
    const body = await readJson(request)
    for (const { method } of requestsOf(body)) count(state.requests, method)
    const { world, chain } = state
    return answerRpc({ world, network: target.network, now: state.now(), chain }, body)
  }
  const method = methodNamed(target.method, request.method)
  count(state.requests, target.method)
  const body = method.verb === 'POST' ? await readJson(request) : undefined
  const { chain, now, pageKeys, world } = state
  const query = new URLSearchParams(search.join('?'))
  const { network } = target
  return {
    status: 200,
    body: method.respond({ world, pageKeys, network, now: now(), chain, query, body }),
  }
}

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

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  // The connection must stay open so that the client can read the error response.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) throw new ApiError(413, 'Request body is too large')
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    throw new ApiError(400, 'Failed to parse request body', -32700)
  }
}

/** Returns the response of a failed call: the status of an {@link ApiError}, otherwise 500. */
function errorResponse(error: unknown): ApiResponse {
  if (!(error instanceof ApiError)) {
    console.error('sample indexer:', error)
    return { status: 500, body: { error: { message: 'Internal server error' } } }
  }
  const { code, message, status } = error
  return { status, body: { error: { ...(code !== undefined && { code }), message } } }
}

function send(response: ServerResponse, { status, body }: ApiResponse): void {
  const bytes = Buffer.from(serialize(body))
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length })
    .end(bytes)
}
