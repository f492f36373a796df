import { describe, expect, test } from 'vitest'
import { IndexerUnavailable, RateLimited } from '../../../lib/domain/failures.ts'
import { CallsSpent } from '../../../lib/domain/limit/reservation.ts'
import {
  lookUpMetadata,
  type ShowContext,
  showMetadata,
} from '../../../lib/domain/metadata/show-metadata.ts'
import type { Nft } from '../../../lib/domain/nft/nft.ts'
import type { Metadata } from '../../../lib/domain/nft/owned-nft.ts'
import type { KeptNft } from '../../../lib/domain/ports/token-metadata.ts'
import {
  emptyMetadataTable,
  linkOf,
  memoryTokenMetadata,
  metadataAt,
  metadataIndexer,
} from '../../../simulation/memory-metadata.ts'
import { nft, nfts } from '../../support/memory/owned-nfts.ts'

const now = 1_800_000_000_000
const minute = 60_000
const day = 24 * 60 * minute
const limit = { name: 'indexer_calls_by_minute', count: 1 } as const
const context: ShowContext = {
  ...{ maxBytes: 1_000_000, metadataSeconds: 7 * 86_400, deadline: now + 20_000 },
  changedAt: () => undefined,
}
const given = (of: Nft) => ({ text: `{"name":"${of.tokenId}"}` })
const shownOf = (of: Nft) => ({ metadataLink: linkOf(of), metadata: given(of) })
const unavailable = {
  metadataLink: '',
  metadata: { text: '{}', fault: 'indexer_unavailable' },
}

/** A reader with an empty table. `describe`: what the indexer gives of an NFT. */
function reader(describe: (of: Nft) => Metadata = given) {
  const table = emptyMetadataTable()
  const indexer = metadataIndexer(describe)
  const ports = { tokenMetadata: memoryTokenMetadata(table), indexer, now: () => now }
  return {
    ...{ table, indexer },
    async show(of: readonly Nft[], options: Partial<ShowContext> = {}) {
      const shown = await showMetadata(of, { ...context, ...options }, ports)
      // What is beside the read ends.
      await new Promise((resolve) => setImmediate(resolve))
      return shown
    },
    keep(of: Nft, kept: Partial<KeptNft> = {}) {
      const ofIt = { metadataLink: 'kept', metadata: { text: '{"kept":1}' }, readAt: now - day }
      table.items.set(metadataAt(of), { ...of, ...ofIt, retries: 0, ...kept })
    },
  }
}

describe('D155: metadata that is kept', () => {
  test('is not read again of NFTs that were looked up before, and read of the others', async () => {
    const { show, keep, table } = reader()
    for (const each of nfts(4)) keep(each, { metadata: { text: `{"kept":${each.tokenId}}` } })
    const read: string[] = []
    const { get } = memoryTokenMetadata(table)
    const tokenMetadata = {
      get: async (of: readonly Nft[], maxBytes: number) => {
        read.push(`${of.map(({ tokenId }) => tokenId).join(' ')} of ${maxBytes}`)
        return await get(of, maxBytes)
      },
    }
    const lookedUp = await lookUpMetadata(nfts(3), 100, tokenMetadata)
    expect([...lookedUp.keys()]).toHaveLength(3)
    expect(read).toEqual(['0 1 2 of 100'])
    table.items.clear()
    keep(nft(3), { metadata: { text: '{"kept":3}' } })
    const shown = await show([nft(0), nft(2), nft(3)], { lookedUp })
    expect(shown.map(({ metadata }) => metadata.text)).toEqual(
      [0, 2, 3].map((id) => `{"kept":${id}}`),
    )
    // Their texts reach the bytes.
    expect(await show([nft(0), nft(2), nft(3)], { lookedUp, maxBytes: 20 })).toHaveLength(2)
  })

  test('is shown without a call, however old it is, and noted once if it is due', async () => {
    const { show, keep, indexer, table } = reader()
    keep(nft(1), { readAt: now - 300 * day })
    keep(nft(2))
    const [old, fresh] = await show([nft(1), nft(2), nft(1)])
    expect(old).toMatchObject({ metadataLink: 'kept', metadata: { text: '{"kept":1}' } })
    expect(fresh).toMatchObject({ metadata: { text: '{"kept":1}' } })
    expect(indexer.calls).toEqual([])
    expect([...table.notes.values()]).toEqual([
      { ...nft(1), notedAt: now, readAt: now - 300 * day, askFrom: now, retries: 0 },
    ])
  })

  test('is noted with the change that it was read before', async () => {
    const { show, keep, table } = reader()
    keep(nft(1))
    await show([nft(1)], { changedAt: () => now - minute })
    expect([...table.notes.values()]).toMatchObject([{ retries: 0, changedAt: now - minute }])
  })
})

describe('metadata that nobody had', () => {
  test('is asked for once, 100 of a contract in a call, and kept', async () => {
    const { show, indexer, table } = reader()
    const page = [...nfts(250), ...nfts(20, 2), ...nfts(250)]
    expect(await show(page)).toMatchObject(page.map(shownOf))
    const sizes = indexer.calls.map(({ contract: { address }, tokenIds, fromSource, deadline }) => {
      expect({ fromSource, deadline }).toEqual({ fromSource: false, deadline: context.deadline })
      return [address.at(-1), tokenIds.length]
    })
    expect(sizes).toEqual([
      ['1', 100],
      ['1', 100],
      ['1', 50],
      ['2', 20],
    ])
    expect(table.items.size).toBe(270)
    expect(table.notes.size).toBe(0)
    expect(table.items.get(metadataAt(nft(7)))).toMatchObject({
      ...{ ...shownOf(nft(7)), readAt: now, retries: 0 },
    })
    expect(await show(page)).toMatchObject(page.map(shownOf))
    expect(indexer.calls).toHaveLength(4)
  })

  test('is asked for beside what is kept, in four calls at once', async () => {
    const { show, keep, indexer } = reader()
    const page = nfts(1_000)
    for (const of of page.slice(0, 200)) keep(of)
    await show(page)
    expect(indexer.calls).toHaveLength(8)
    expect(indexer.mostAtOnce).toBe(4)
    expect(new Set(indexer.calls.flatMap(({ tokenIds }) => tokenIds)).size).toBe(800)
  })

  test('is kept with its fault, and noted for a quarter of an hour later', async () => {
    const fault = { text: '{}', fault: 'not_available' } as const
    const { show, table } = reader(() => fault)
    expect(await show([nft(1)])).toMatchObject([{ metadata: fault }])
    expect(table.items.get(metadataAt(nft(1)))).toMatchObject({ metadata: fault })
    expect([...table.notes.values()]).toEqual([
      { ...nft(1), notedAt: now, readAt: now, askFrom: now + 15 * minute, retries: 1 },
    ])
  })

  test('is kept with the change that was known, and noted if it can be from before it', async () => {
    const { show, table } = reader()
    await show([nft(1)], { changedAt: () => now - minute })
    const changedAt = now - minute
    expect(table.items.get(metadataAt(nft(1)))).toMatchObject({ retries: 0, changedAt })
    expect([...table.notes.values()]).toMatchObject([{ retries: 1, changedAt }])
  })
})

describe('while the indexer gives nothing', () => {
  test.each([new IndexerUnavailable('down'), new RateLimited(limit, 1), new CallsSpent(limit, 1)])(
    'what is kept is shown, and the rest has a fault that is not kept: %s',
    async (failure) => {
      const { show, keep, indexer, table } = reader(() => {
        throw failure
      })
      keep(nft(1), { readAt: now - 300 * day })
      const [kept, ...rest] = await show(nfts(1_001).slice(1))
      expect(kept).toMatchObject({ metadata: { text: '{"kept":1}' } })
      expect(rest).toEqual(rest.map(() => unavailable))
      // No call begins once one has failed.
      expect(indexer.calls).toHaveLength(4)
      expect(table.items.size).toBe(1)
      expect([...table.notes.keys()]).toEqual([metadataAt(nft(1))])
    },
  )

  test('what other calls gave is shown and kept', async () => {
    const { show, table } = reader((of) => {
      if (of.address === nft(0, 2).address) throw new IndexerUnavailable('down')
      return given(of)
    })
    const [of, other] = [nft(1), nft(1, 2)]
    expect(await show([other, of])).toMatchObject([unavailable, shownOf(of)])
    expect(table.items.size).toBe(1)
  })

  test('a defect is thrown', async () => {
    const { show } = reader(() => {
      throw new TypeError('a defect')
    })
    await expect(show([nft(1)])).rejects.toThrow(TypeError)
  })
})

describe('the bytes that a read can use', () => {
  const textOf = (bytes: number): Metadata => ({ text: `"${'é'.repeat((bytes - 2) / 2)}"` })

  test('end it with the NFT that reaches them, whatever was kept', async () => {
    const { show, keep, indexer } = reader(() => textOf(1_000))
    for (const index of [2, 5, 6]) keep(nft(index), { metadata: textOf(1_000) })
    expect(await show(nfts(10), { maxBytes: 4_000 })).toHaveLength(4)
    expect(await show(nfts(10), { maxBytes: 4_001 })).toHaveLength(5)
    expect(await show(nfts(10), { maxBytes: 1 })).toHaveLength(1)
    expect(await show(nfts(10), { maxBytes: 0 })).toHaveLength(1)
    expect(await show([], { maxBytes: 0 })).toEqual([])
    // An NFT that is shown twice takes its bytes twice.
    expect(
      await show(
        nfts(10).map(() => nft(5)),
        { maxBytes: 3_000 },
      ),
    ).toHaveLength(3)
    expect(indexer.calls).toHaveLength(1)
  })

  test('do not end it before what nobody had is asked for', async () => {
    const { show, keep, indexer } = reader()
    keep(nft(1), { metadata: textOf(1_000) })
    expect(await show(nfts(3), { maxBytes: 1_000 })).toMatchObject([shownOf(nft(0)), {}])
    expect(indexer.calls.flatMap(({ tokenIds }) => tokenIds)).toEqual(['0'])
  })

  test('end the calls, and nothing is noted of what is not shown', async () => {
    const fault = 'not_available'
    const { show, indexer, table } = reader(() => ({ ...textOf(1_000), fault }))
    expect(await show(nfts(1_000), { maxBytes: 150_000 })).toHaveLength(150)
    expect(indexer.calls).toHaveLength(5)
    // What was asked for is kept all the same.
    expect(table.items.size).toBe(500)
    expect(table.notes.size).toBe(150)
  })

  test('do not count what the indexer did not give', async () => {
    const { show } = reader(() => {
      throw new IndexerUnavailable('down')
    })
    expect(await show(nfts(10), { maxBytes: 4 })).toHaveLength(10)
  })
})
