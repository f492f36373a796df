import { text } from 'node:stream/consumers'
import { chains } from '../../../lib/domain/nft/chain.ts'
import { serve } from '../services/http-server.ts'
import type { OnEnd } from '../vitest/at-file-end.ts'
import { type EvmResult, evmChain } from './evm-chain.ts'

/** A chain of the node. */
export type NodeChain = 'POLYGON' | 'BSC'

/** A node of two chains, as Alchemy serves them. */
export type EvmNode = Awaited<ReturnType<typeof startEvmNode>>

/** Starts a node whose contracts run in an EVM. Another indexer answers everything but `eth_call` without `to`. */
export async function startEvmNode(indexerUrl: string, onEnd: OnEnd) {
  const [polygon, bsc] = [chains.POLYGON, chains.BSC]
  const evms = { POLYGON: await evmChain(polygon.chainId), BSC: await evmChain(bsc.chainId) }
  const evmAt = (path: string) => {
    if (path.startsWith(`/${polygon.network}/v2/`)) return evms.POLYGON
    return path.startsWith(`/${bsc.network}/v2/`) ? evms.BSC : undefined
  }
  const url = await serve(async (request, response) => {
    const { method = 'GET', url: path = '' } = request
    const body = await text(request)
    const evm = evmAt(path)
    const { id, method: called, params = [] } = evm ? JSON.parse(body) : {}
    response.setHeader('content-type', 'application/json')
    if (evm && called === 'eth_call' && !params[0].to) {
      const result = await evm.call({ ...params[0], gas: Number(params[0].gas) })
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answerOf(result) }))
    }
    const sent = body === '' ? {} : { body, headers: { 'content-type': 'application/json' } }
    const answer = await fetch(indexerUrl + path, { method, ...sent })
    return response.writeHead(answer.status).end(await answer.text())
  }, onEnd)
  return {
    /** The value for INDEXER_URL: a chain is at `<url>/<network>/v2/<key>`. */
    url,
    /** A chain, which begins empty. */
    on: (chain: NodeChain) => evms[chain],
  }
}

/** The answer as geth writes it: `internal/ethapi/errors.go` and `core/vm/errors.go` of ethereum/go-ethereum. */
function answerOf({ failure, returned }: EvmResult) {
  if (failure === undefined) return { result: returned }
  return failure === 'revert'
    ? { error: { code: 3, message: 'execution reverted', data: returned } }
    : { error: { code: -32_000, message: failure } }
}
