import { expect, onTestFinished, test, vi } from 'vitest'
import type { Indexer } from '../../../lib/domain/ports/indexer.ts'
import {
  type AcceptedAge,
  acceptedSeconds,
  acceptedStaleSeconds,
  acceptsKept,
} from '../../../lib/domain/reading/freshness.ts'
import { walletReading } from '../../../lib/domain/reading/wallet-reading.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { nft, owned } from '../../support/memory/owned-nfts.ts'

test.each<[AcceptedAge, boolean, number, number]>([
  [{}, true, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  [{ maxAgeSeconds: 10 }, true, 10, Number.NEGATIVE_INFINITY],
  [{ refusesKept: true }, false, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  [
    { refusesKept: true, maxAgeSeconds: 10 },
    false,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ],
  [{ refusesKept: true, staleIfErrorSeconds: 0 }, true, Number.NEGATIVE_INFINITY, 0],
  [{ staleIfErrorSeconds: 600 }, true, Number.POSITIVE_INFINITY, 600],
  [{ staleIfErrorSeconds: 86_401 }, true, Number.POSITIVE_INFINITY, 86_400],
])('D156: of a caller who says %j', (accepted, isKeptAccepted, seconds, staleSeconds) => {
  expect(acceptsKept(accepted)).toBe(isKeptAccepted)
  expect(acceptedSeconds(accepted)).toBe(seconds)
  expect(acceptedStaleSeconds(accepted)).toBe(staleSeconds)
})

const owner = addressOf(0xa)
const start = Date.parse('2026-11-23T12:00:00Z')

/** Reads a page from an indexer that takes a minute, and states a block of this time. */
async function pageAt(at: number | undefined) {
  vi.useFakeTimers({ now: start, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const indexer: Pick<Indexer, 'ownedNfts'> = {
    async ownedNfts() {
      vi.setSystemTime(start + 60_000)
      return {
        nfts: [owned(nft(1), owner)],
        ...(at !== undefined && { block: { number: 1, at } }),
      }
    },
  }
  const slice = { chain: 'POLYGON', owner, contracts: [nft(1)] } as const
  return await walletReading(slice, start + 3_600_000, indexer)({ source: 0, returned: [] })
}

test('D156: a page of the indexer speaks of the block that it states, or of the moment it was asked for', async () => {
  expect(await pageAt(start - 3_000)).toMatchObject({ moment: start - 3_000, askedAt: start })
  expect(await pageAt(undefined)).toMatchObject({ moment: start, askedAt: start })
})
