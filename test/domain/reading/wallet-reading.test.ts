import { expect, onTestFinished, test, vi } from 'vitest'
import type { Indexer } from '../../../lib/domain/ports/indexer.ts'
import type { GatheredReading } from '../../../lib/domain/reading/kept-reading.ts'
import { walletReading } from '../../../lib/domain/reading/wallet-reading.ts'
import { nothingKept } from '../../support/memory/nothing-kept.ts'
import { addressOf, nft, owned, productId } from '../../support/memory/owned-nfts.ts'

const owner = addressOf(0xa)
const start = Date.parse('2026-11-23T12:00:00Z')

/** An indexer whose pages of one NFT each take a minute, and state the blocks at these moments. */
function slowIndexer(blockTimes: readonly (number | undefined)[]): Pick<Indexer, 'ownedNfts'> {
  return {
    async ownedNfts({ pageKey = '0' }) {
      vi.setSystemTime(Date.now() + 60_000)
      const page = Number(pageKey)
      const [next, at] = [page + 1, blockTimes[page]]
      return {
        nfts: [owned(nft(page), owner)],
        ...(next < blockTimes.length && { pageKey: `${next}` }),
        block: at === undefined ? undefined : { number: at, at },
      } as Awaited<ReturnType<Indexer['ownedNfts']>>
    },
  }
}

/** Reads all pages of a wallet at {@link start}, and returns the readings that are then kept. */
async function readingsKept(
  blockTimes: readonly (number | undefined)[],
): Promise<GatheredReading[]> {
  vi.useFakeTimers({ now: start, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const kept: Promise<GatheredReading | undefined>[] = []
  const { read } = walletReading(
    { productId, chain: 'POLYGON', owner, contracts: [addressOf(1)] },
    { accepted: {}, positions: undefined, limit: 1_000, deadline: start + 3_600_000 },
    {
      ...nothingKept,
      indexer: slowIndexer(blockTimes),
      keptReadings: {
        ...nothingKept.keptReadings,
        keeps: () => true,
        keep: (_, reading) => void kept.push(reading),
      },
    },
  )
  let next: string | undefined
  do {
    const page = await read({ source: 0, pageKey: next, returned: [] })
    next = page.next
  } while (next !== undefined)
  return (await Promise.all(kept)).filter((reading) => reading !== undefined)
}

test('D65: a reading of several pages is as old as the call for the first page, and as the earliest block', async () => {
  const [first, second, third] = [start - 3_000, start - 9_000, start - 1_000]
  const [reading, ...others] = await readingsKept([first, second, third])
  expect(others).toEqual([])
  expect(reading).toMatchObject({ readAt: start, block: { number: second, at: second } })
  expect(reading?.pages).toHaveLength(3)
})

test('D65: a block that was made after the first call counts as of the call', async () => {
  const [reading] = await readingsKept([start + 30_000, start + 90_000])
  expect(reading).toMatchObject({ readAt: start, block: { at: start } })
})

test('D65: a reading with a page that states no block has none', async () => {
  const [reading] = await readingsKept([start - 3_000, undefined])
  expect(reading).toMatchObject({ readAt: start, block: undefined })
})
