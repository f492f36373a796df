import { createIndexer } from '@player-nfts/local/indexer/indexer'
import type { World } from '@player-nfts/local/indexer/world'
import { writeJson } from '../../lib/json/verbatim-json.ts'
import type { Delays } from './aws-stub.ts'
import type { CallCounter } from './call-counter.ts'
import { startHttpStub } from './http-stub.ts'

/**
 * The indexer of the local stack with a fixed delay. Its clock stands still until it is set, and a page of a wallet is made only
 * once, with the same key each time.
 */
export async function startIndexerStub(options: {
  world: World
  counter: CallCounter
  delays: Delays
  /** In milliseconds since 1970. */
  clock: { now: number }
}) {
  const { world, counter, delays, clock } = options
  const { respond } = createIndexer({ world, now: () => clock.now })
  const pages = new Map<string, Buffer>()

  return await startHttpStub(async ({ method, url = '/' }, body) => {
    const answered = counter.begin('indexer')
    let bytes = pages.get(url)
    if (!bytes) {
      const parsed = async () => JSON.parse(body.toString())
      const answer = await respond({ method, target: url, body: parsed })
      bytes = Buffer.from(writeJson(answer.body))
      if (url.includes('/getNFTsForOwner?')) pages.set(url, bytes)
    }
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: bytes,
      delayMilliseconds: delays.indexer,
      sent: answered,
    }
  })
}
