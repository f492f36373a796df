import { expect, onTestFinished, test, vi } from 'vitest'
import { IndexerUnavailable, RateLimited } from '../../../lib/domain/failures.ts'
import type { ChainEvents } from '../../../lib/domain/ports/chain-events.ts'
import type { Finding } from '../../../lib/domain/ports/kept-readings.ts'
import type { AcceptedAge } from '../../../lib/domain/reading/freshness.ts'
import { type KeptReading, newReadingId } from '../../../lib/domain/reading/kept-reading.ts'
import { walletReading } from '../../../lib/domain/reading/wallet-reading.ts'
import { nothingKept } from '../../support/memory/nothing-kept.ts'
import { addressOf, nft, owned, productId } from '../../support/memory/owned-nfts.ts'

const owner = addressOf(0xa)
const now = Date.parse('2026-11-23T12:00:00Z')
const hashOf = (number: number) => `0x${`${number}`.repeat(64)}`
const blockOf = (number: number, secondsAgo: number) => ({
  ...{ number, at: now - secondsAgo * 1_000, hash: hashOf(number) },
})

/** A reading that was kept some seconds ago, and a chain on which nothing has moved since. */
const readingOf = (secondsAgo: number, stated = [blockOf(7, secondsAgo)]): KeptReading => ({
  ...{ readingId: newReadingId(now), readAt: now - secondsAgo * 1_000, stated },
  block: { number: 7, at: now - secondsAgo * 1_000 },
  parts: [{ sizes: [1], read: async () => [[owned(nft(1), owner)]] }],
})
const quiet = {
  confirmedUpTo: now - 5_000,
  distrustedBefore: 0,
  contracts: [{ followedSince: 1 }],
}

/** What a read does with a kept reading on a followed chain, unless `isFollowed` is false. */
async function readWith({
  reading = readingOf(100),
  isPart,
  isFollowed = true,
  accepted = {},
  isDown = false,
  block = async (_, number) => blockOf(number, 100),
}: {
  reading?: KeptReading
  isPart?: boolean
  isFollowed?: boolean
  accepted?: AcceptedAge
  isDown?: boolean
  block?: ChainEvents['block']
}) {
  vi.useFakeTimers({ now, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const asked: (number | string)[] = []
  const noted: boolean[] = []
  const finding: Finding = {
    reading: { ...reading, isPart, unpack: async () => reading, keepForCursors: () => undefined },
    evidence: { now, ...(isFollowed && { chain: quiet }) },
  }
  const { read } = walletReading(
    { productId, chain: 'POLYGON', owner, contracts: [addressOf(1)] },
    { accepted, positions: Promise.resolve(new Map()), limit: 1_000, deadline: now + 20_000 },
    {
      remembering: { ...nothingKept.remembering, rememberSeconds: isFollowed ? 0 : 3_600 },
      indexer: {
        async ownedNfts() {
          asked.push('indexer')
          if (isDown) throw new IndexerUnavailable('down')
          return { nfts: [] }
        },
      },
      chainBlocks: {
        block(chain, number, deadline) {
          asked.push(number)
          return block(chain, number, deadline)
        },
      },
      keptReadings: {
        ...nothingKept.keptReadings,
        keeps: () => true,
        find: async () => finding,
        noteBranch: (_, id, found) => noted.push(found && id === reading.readingId),
      },
    },
  )
  const nfts = await read({ source: 0, returned: [] }).then(
    (page) => page.nfts.length,
    () => 'unavailable' as const,
  )
  return { asked, noted, nfts }
}

const rateLimited = new RateLimited({ name: 'indexer_calls_by_day', count: 1, perSeconds: 1 }, 1)

test.each([
  ['a reading within the settling time is used without a question', { reading: readingOf(30) }],
  ['a reading whose blocks were found is used without a question', { isPart: true }],
  ['a reading is used by its age on a chain that is not followed', { isFollowed: false }],
])('D87: %s', async (_, options) => {
  expect(await readWith(options)).toEqual({ asked: [], noted: [], nfts: 1 })
})

test('D87: the first use after the settling time asks for each block once, and notes that they are part of the chain', async () => {
  const reading = readingOf(100, [blockOf(7, 100), blockOf(8, 98)])
  expect(await readWith({ reading })).toEqual({ asked: [7, 8], noted: [true], nfts: 1 })
})

test('D87: the settling time begins with the last page', async () => {
  const reading = readingOf(40, [blockOf(7, 40), blockOf(8, 20)])
  expect(await readWith({ reading })).toEqual({ asked: [], noted: [], nfts: 1 })
})

test('D87: a block with another hash is noted, and the indexer is asked', async () => {
  const block = async () => blockOf(9, 100)
  expect(await readWith({ block })).toEqual({ asked: [7, 'indexer'], noted: [false], nfts: 0 })
})

test('D87: one replaced block of several is enough', async () => {
  const reading = readingOf(100, [blockOf(7, 100), blockOf(8, 98)])
  const block = async (_: unknown, number: number) => blockOf(number === 8 ? 9 : number, 100)
  const asked = [7, 8, 'indexer']
  expect(await readWith({ reading, block })).toEqual({ asked, noted: [false], nfts: 0 })
})

test('D87: a reading whose blocks were replaced is no reading, also while the indexer is down', async () => {
  const accepted = { staleIfErrorSeconds: 3_600 }
  const down = { isDown: true, accepted }
  expect((await readWith({ ...down, isPart: true })).nfts).toBe(1)
  expect((await readWith({ ...down, isPart: false })).nfts).toBe('unavailable')
  expect((await readWith({ ...down, block: async () => blockOf(9, 100) })).nfts).toBe('unavailable')
})

test.each<[string, Parameters<typeof readWith>[0]]>([
  ['a node does not have the block', { block: async () => undefined }],
  ['a node fails', { block: () => Promise.reject(new IndexerUnavailable('down')) }],
])('D87: the indexer is asked and nothing is noted if %s', async (_, options) => {
  expect(await readWith(options)).toEqual({ asked: [7, 'indexer'], noted: [], nfts: 0 })
})

test('D87: the indexer is asked if a page had no hash', async () => {
  const { stated: _, ...reading } = readingOf(100)
  expect(await readWith({ reading })).toEqual({ asked: ['indexer'], noted: [], nfts: 0 })
})

test('D73, D87: a product that has exhausted its calls still gets the reading', async () => {
  const block = () => Promise.reject(rateLimited)
  expect(await readWith({ block })).toEqual({ asked: [7], noted: [], nfts: 1 })
})
