import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Chain, chains, coveredChains } from '../../../lib/domain/nft/chain.ts'
import { type EvmCall, type EvmChain, type EvmResult, evmChain } from './evm-chain.ts'

/** A node of all chains, as Alchemy serves them. */
export interface EvmNode {
  /** The value for INDEXER_URL: a chain is at `<url>/<network>/v2/<key>`. */
  url: string
  /** A chain, which begins empty. Throws for one that the indexer does not cover. */
  on(chain: Chain): EvmChain
  /** What it was asked, without what the indexer behind it answers. */
  requests: { chain: Chain; method: string; params: unknown[] }[]
  close(): Promise<void>
}

/** The most gas of a call: more is lowered to it, as with `--rpc.gascap` of geth. */
const gasCap = 50_000_000

/**
 * Starts a node on a free port of 127.0.0.1, whose contracts run in an EVM. The test closes it. `indexerUrl`: of the
 * indexer that answers everything but `eth_call` without `to`.
 */
export async function startEvmNode(indexerUrl?: string): Promise<EvmNode> {
  const started = coveredChains.map(async (chain) => evmChain(chains[chain].chainId))
  const evms = new Map<Chain, EvmChain>()
  for (const [index, evm] of (await Promise.all(started)).entries())
    evms.set(coveredChains[index] as Chain, evm)
  const on = (chain: Chain): EvmChain => {
    const evm = evms.get(chain)
    if (!evm) throw new Error(`the node has no ${chain}`)
    return evm
  }
  const run = async (evm: EvmChain, call: Omit<EvmCall, 'gas'> & { gas?: string }) => {
    const result = await evm.call({ ...call, gas: Math.min(Number(call.gas ?? gasCap), gasCap) })
    return result.failure === undefined
      ? { result: result.returned }
      : { error: errorOf(result.failure, result) }
  }
  const requests: EvmNode['requests'] = []
  const respond = async (request: IncomingMessage) => {
    const { method: httpMethod = 'GET', url: path = '' } = request
    const body = await text(request)
    const chain = coveredChains.find((each) => path.startsWith(`/${chains[each].network}/v2/`))
    const { id, method, params = [] } = chain ? JSON.parse(body) : {}
    if (!chain || method !== 'eth_call' || params[0]?.to)
      return await forwarded(indexerUrl, httpMethod, path, body)
    requests.push({ chain, method, params })
    const answer = await run(on(chain), params[0])
    return { status: 200, body: JSON.stringify({ jsonrpc: '2.0', id, ...answer }) }
  }
  const server = createServer((request, response) => {
    respond(request).then(
      ({ status, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(body),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, on, requests, close }
}

/**
 * The error of a call as geth writes it: `internal/ethapi/errors.go` and `core/vm/errors.go` of ethereum/go-ethereum.
 */
const errorOf = (failure: string, { returned }: EvmResult) =>
  failure === 'revert'
    ? { code: 3, message: 'execution reverted', data: returned }
    : { code: -32_000, message: failure }

/** What the indexer of the node answers. */
async function forwarded(
  indexerUrl: string | undefined,
  method: string,
  path: string,
  body: string,
) {
  if (!indexerUrl) return { status: 404, body: '{}' }
  const sent = body === '' ? {} : { body, headers: { 'content-type': 'application/json' } }
  const response = await fetch(indexerUrl + path, { method, ...sent })
  return { status: response.status, body: await response.text() }
}
