import { afterEach, beforeEach } from 'vitest'
import { latestKey } from '../../../lib/adapters/dynamodb/kept-reading-item.ts'
import { dynamoKeptReadings } from '../../../lib/adapters/dynamodb/kept-readings.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import type { OwnedNft } from '../../../lib/domain/nft/owned-nft.ts'
import {
  type GatheredReading,
  newReadingId,
  type ReadPages,
} from '../../../lib/domain/reading/kept-reading.ts'
import { downstreamCalls } from '../../../lib/observability/downstream-calls.ts'
import { requestScope } from '../../../lib/observability/request-scope.ts'
import { addressOf, nft, owned, productId } from '../memory/owned-nfts.ts'
import { storedItems } from './stored-items.ts'
import { startTestAws } from './test-aws.ts'

const owner = addressOf(0xa)
export const scope = { productId, chain: 'POLYGON', owner, contracts: [addressOf(1)] } as const

/** An NFT with metadata of a length, which compresses well unless a text is given. */
export const nftOf = (tokenId: number, text = `{"a":"${'-'.repeat(130_000)}"}`): OwnedNft => ({
  ...owned(nft(tokenId), owner),
  metadata: { text },
})

/** Pages of which each is a part, because two have more metadata than a part. */
export const tenPages: ReadPages = Array.from({ length: 10 }, (_, page) => [
  nftOf(2 * page),
  nftOf(2 * page + 1),
])

/** A reading that began at a moment, at its end. */
export const readingAt = (readAt: number, pages: ReadPages): GatheredReading => ({
  ...{ readingId: newReadingId(readAt), readAt, block: { number: 7, at: readAt }, stated: [] },
  ...{ parts: [], pages },
})

/** An item that was written. */
interface WrittenItem {
  sk: { S: string }
  expiresAt: { N: string }
  data: { B: string }
}

/** Keeps readings of one scope in the embedded AWS of a test file, whose table is empty before each test. */
export async function startKeptParts() {
  const aws = await startTestAws()
  const table = openTable()
  const items = storedItems(table)
  const readings = dynamoKeptReadings(table, { rememberSeconds: 3_600, followedChains: [] })
  let seen = 0

  const found = async () => {
    const { reading } = await readings.find(scope, await readings.positions())
    return await reading?.unpack()
  }

  /** The items that were written since the last call of this function, in order. */
  function written(): WrittenItem[] {
    const requests = aws.proxy.requests.slice(seen)
    seen = aws.proxy.requests.length
    return requests.flatMap(({ action, body }) => (action === 'PutItem' ? [body.Item] : []))
  }

  beforeEach(async () => {
    await items.empty()
    written()
  })
  afterEach(() => aws.interfere({}))

  return {
    ...{ aws, readings, found, written, ...items, pk: latestKey(scope).pk },
    /** What the items are that were written: `LATEST`, `PART` or `BEGUN`. */
    kindsWritten: () => written().map(({ sk }) => sk.S.split('#')[1]),
    /** Keeps a reading, and returns what is counted. */
    keep: (reading: GatheredReading) =>
      downstreamCalls.during(async () => {
        readings.keep(scope, Promise.resolve(reading))
        // A request waits for it for a second only, which can be too short on a busy machine.
        await Promise.all(requestScope.getStore()?.beside ?? [])
        return downstreamCalls.counts()
      }),
    /** The pages of the reading that is found, each part after the other; `undefined` for a part that is not there. */
    async pagesFound(): Promise<(readonly OwnedNft[] | undefined)[]> {
      const read = (await found())?.parts.map((part) => part.read()) ?? []
      const parts = await Promise.all(read)
      return parts.flatMap<readonly OwnedNft[] | undefined>((pages) => pages ?? [undefined])
    },
    /** Makes the writes fail whose places a function names, from now on. */
    failWrites(fails: (write: number) => boolean): void {
      let write = -1
      aws.interfere({
        onRequest({ action }) {
          if (action !== 'PutItem') return undefined
          write += 1
          return fails(write) ? { status: 500 } : undefined
        },
      })
    },
  }
}
