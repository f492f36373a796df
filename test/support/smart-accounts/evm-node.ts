import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Chain, chains, coveredChains } from '../../../lib/domain/nft/chain.ts'
import { type EvmCall, type EvmChain, evmChain } from './evm-chain.ts'
import { type Client, type NodeError, nodeErrors } from './node-errors.ts'

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

interface NodeOptions {
  /** The client whose errors it has; geth by default. */
  client?: Client
  /** The most gas of a call: more is lowered to it, as with `--rpc.gascap` of geth. */
  gasCap?: number
  /** The URL of an indexer, which answers everything but `eth_call` without `to`, `eth_getCode` and `eth_chainId`. */
  behind?: string
}

type Answer = { result: string } | { error: NodeError }
type Method = (evm: EvmChain, params: unknown[], chain: Chain) => Promise<Answer>

/** Starts a node on a free port of 127.0.0.1, whose contracts run in an EVM. The test closes it. */
export async function startEvmNode({
  client = 'geth',
  gasCap = 50_000_000,
  behind,
}: NodeOptions = {}): Promise<EvmNode> {
  const started = coveredChains.map(async (chain) => evmChain(chains[chain].chainId))
  const evms = new Map<Chain, EvmChain>()
  for (const [index, evm] of (await Promise.all(started)).entries())
    evms.set(coveredChains[index] as Chain, evm)
  const on = (chain: Chain): EvmChain => {
    const evm = evms.get(chain)
    if (!evm) throw new Error(`the node has no ${chain}`)
    return evm
  }
  const methods: Record<string, Method> = {
    async eth_call(evm, [call]) {
      const { gas, ...asked } = call as Omit<EvmCall, 'gas'> & { gas?: string }
      const permitted = Math.min(Number(gas ?? gasCap), gasCap)
      const result = await evm.call({ ...asked, gas: permitted })
      if (result.failure === undefined) return { result: result.returned }
      return { error: nodeErrors[client](result, permitted) }
    },
    eth_chainId: async (_, __, chain) => ({ result: `0x${chains[chain].chainId.toString(16)}` }),
    eth_getCode: async (evm, [address]) => ({ result: await evm.codeAt(String(address)) }),
  }
  const requests: EvmNode['requests'] = []
  const respond = async (request: IncomingMessage) => {
    const { method: httpMethod = 'GET', url: path = '' } = request
    const body = await text(request)
    const chain = coveredChains.find((each) => path.startsWith(`/${chains[each].network}/v2/`))
    const { id, method, params = [] } = chain ? JSON.parse(body) : {}
    const run = method === 'eth_call' && params[0]?.to ? undefined : methods[method]
    if (!chain || !run) return await forwarded(behind, httpMethod, path, body)
    requests.push({ chain, method, params })
    const answer = await run(on(chain), params, chain)
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

/** What the indexer behind the node answers. */
async function forwarded(behind: string | undefined, method: string, path: string, body: string) {
  if (!behind) return { status: 404, body: '{}' }
  const sent = body === '' ? {} : { body, headers: { 'content-type': 'application/json' } }
  const response = await fetch(behind + path, { method, ...sent })
  return { status: response.status, body: await response.text() }
}
