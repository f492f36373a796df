import { answerRpc } from '@player-nfts/local/indexer/json-rpc'
import { type Json, serialize } from '@player-nfts/local/indexer/json-text'
import { nftMethods } from '@player-nfts/local/indexer/nft-api'
import { createPageKeys } from '@player-nfts/local/indexer/page-keys'
import type { Network, World } from '@player-nfts/local/indexer/world'
import type { Delays } from './aws-stub.ts'
import type { CallCounter } from './call-counter.ts'
import { startHttpStub } from './http-stub.ts'

/** The time of the indexer, in milliseconds since 1970. */
export interface IndexerClock {
  now: number
}

/**
 * The indexer of the local stack with a fixed delay. Its clock stands still until it is set, and a page of a wallet is made only
 * once, with the same key each time.
 */
export async function startIndexerStub(options: {
  world: World
  counter: CallCounter
  delays: Delays
  clock: IndexerClock
}) {
  const { world, counter, delays, clock } = options
  const pageKeys = createPageKeys()
  const pages = new Map<string, Buffer>()

  return await startHttpStub(async ({ url, body }) => {
    const made = pages.get(url)
    const request = questionOf(url)
    const answered = counter.begin('indexer')
    const bytes = made ?? Buffer.from(serialize(answerTo(request, body)))
    if (request.method === 'getNFTsForOwner') pages.set(url, bytes)
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: bytes,
      delayMilliseconds: delays.indexer,
      sent: answered,
    }
  })

  function answerTo({ network, method, query }: Question, body: Buffer): Json {
    const { now } = clock
    const input: unknown = body.length > 0 ? JSON.parse(body.toString()) : undefined
    if (!method) return answerRpc({ world, network, now }, input).body
    const found = nftMethods.get(method)
    if (!found) throw new Error(`${method} is not known to the indexer`)
    return found.respond({ world, pageKeys, network, now, query, body: input })
  }
}

interface Question {
  network: Network
  /** A method of the NFT API; `''` for JSON-RPC. */
  method: string
  query: URLSearchParams
}

/** Parses `/<network>/nft/v3/<key>/<method>` or `/<network>/v2/<key>`. */
function questionOf(url: string): Question {
  const [path = '', search = ''] = url.split('?')
  const [, network, api, , , method = ''] = path.split('/')
  const query = new URLSearchParams(search)
  return { network: network as Network, method: api === 'nft' ? method : '', query }
}
