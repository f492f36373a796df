import { describe, expect, test, vi } from 'vitest'
import { metadataDueKey } from '../../../../lib/adapters/dynamodb/keys/metadata-partitions.ts'
import { largestTokenId, tokenIdOf } from '../../../../lib/domain/allowlist/token-id.ts'
import type { Nft } from '../../../../lib/domain/nft/nft.ts'
import type { DueNote } from '../../../../lib/domain/ports/token-metadata.ts'
import { downstreamCalls } from '../../../../lib/observability/downstream-calls.ts'
import { nft } from '../../../support/memory/owned-nfts.ts'
import { kept, nfts, now, sixtyDays, startTokenMetadata } from './token-metadata-fixture.ts'

const { aws, items, metadata, requestsOf } = await startTokenMetadata()

const note = (of: Nft, more: Partial<DueNote> = {}): DueNote => ({
  ...of,
  ...{ notedAt: now, readAt: now - 60_000, askFrom: now, retries: 0, ...more },
})
const write = (...notes: DueNote[]) =>
  requestsOf(() => downstreamCalls.during(async () => metadata().noteDue(notes)))
async function due(at = now, chain: Nft['chain'] = 'POLYGON'): Promise<DueNote[]> {
  const found: DueNote[] = []
  for await (const each of metadata().due(chain, at)) found.push(each)
  return found
}

describe('notes of due tokens', () => {
  test('are read in the order of contracts and tokens, those of a chain that may be asked for', async () => {
    const largest = { ...nft(0, 1), tokenId: tokenIdOf(largestTokenId) }
    const each = [
      ...[note(nft(2, 1)), note(nft(10, 1), { retries: 3, changedAt: now - 9 }), note(largest)],
      ...[note(nft(1, 2), { askFrom: now + 1 }), note(nft(0, 3))],
    ]
    await write(...each.toReversed(), note(nft(5, 1, 'BSC')))
    expect(await due()).toStrictEqual(each.toSpliced(3, 1))
    expect(await due(now + 1)).toStrictEqual(each)
    expect(await due(now, 'BSC')).toStrictEqual([note(nft(5, 1, 'BSC'))])
    const key = metadataDueKey(nft(2, 1))
    expect(await items.get(key)).toMatchObject({ expiresAt: now / 1_000 + sixtyDays })
    await items.put(key, { ...(await items.get(key)), retries: 'x' })
    expect(await due(now + 1)).toStrictEqual(each.slice(1))
  })

  test('are written by a container once in a minute', async () => {
    expect(await write(note(nft(1)), note(nft(2)))).toEqual(['UpdateItem', 'UpdateItem'])
    vi.setSystemTime(now + 59_999)
    expect(await write(note(nft(1), { notedAt: now + 5 }), note(nft(3)))).toEqual(['UpdateItem'])
    vi.setSystemTime(now + 60_000)
    expect(await write(note(nft(1), { notedAt: now + 9 }))).toEqual(['UpdateItem'])
    expect(await due()).toEqual([note(nft(1)), note(nft(2)), note(nft(3))])
  })

  test('stay as they are, but for what was read or has changed since', async () => {
    const [of, later] = [nft(1), now + 5]
    await write(note(of, { changedAt: now - 9 }))
    await write(note(of, { notedAt: later, askFrom: later, readAt: now - 8 }))
    await write(note(of, { notedAt: later, askFrom: later, readAt: now, changedAt: now - 9 }))
    expect(await due()).toEqual([note(of, { changedAt: now - 9 })])
    const changed = { notedAt: later, changedAt: now - 7, retries: 1 }
    await write(note(of, { ...changed, askFrom: later }))
    expect(await due()).toEqual([note(of, changed)])
    const readAgain = { notedAt: later + 9, readAt: later + 1, retries: 2 }
    await write(note(of, { ...readAgain, askFrom: later + 900 }))
    expect(await due()).toEqual([note(of, readAgain)])
  })

  test('fail for no request, and are written with the next one', async () => {
    aws.interfere({ onRequest: () => ({ status: 500, body: {} }) })
    expect(await write(note(nft(1)))).toEqual(['UpdateItem'])
    aws.interfere({})
    expect(await write(note(nft(1)))).toEqual(['UpdateItem'])
    expect(await due()).toHaveLength(1)
  })

  test('are taken by one of several workers', async () => {
    const each = nfts(20).map((of) => note(of))
    await write(...each)
    const workers = Array.from({ length: 3 }, (_, index) =>
      metadata().postponeDue(each, now + 900 + index),
    )
    const taken = (await Promise.all(workers)).flat()
    expect(new Set(taken.map(({ tokenId }) => tokenId)).size).toBe(20)
    expect(taken).toHaveLength(20)
    expect(await due()).toEqual([])
    const ofNow = await due(now + 902)
    expect(new Set(ofNow)).toEqual(new Set(taken))
    // Who has read them before does not delete them.
    await metadata().settleDue(each)
    expect(await due(now + 902)).toEqual(ofNow)
    await metadata().settleDue(taken)
    expect(await due(now + 902)).toEqual([])
    expect(await metadata().postponeDue(each, now)).toEqual([])
  })

  test('are not deleted if a read has noted something else meanwhile', async () => {
    await write(note(nft(1)))
    const [taken] = await metadata().postponeDue([note(nft(1))], now + 900)
    const changed = { notedAt: now + 5, changedAt: now + 4 }
    await write(note(nft(1), changed))
    await metadata().settleDue([taken as DueNote])
    expect(await due(now + 900)).toEqual([note(nft(1), { ...changed, askFrom: now + 900 })])
    expect(await metadata().postponeDue([taken as DueNote], now)).toEqual([])
  })

  test('are compared with when the metadata was read, in one consistent read', async () => {
    await metadata().put([kept(nft(1), { readAt: 5 }), kept(nft(3), { readAt: 7 })])
    const requests = await requestsOf(async () => {
      const times = await metadata().readTimes([nft(3), nft(2), nft(1)])
      expect(times).toEqual([7, undefined, 5])
      expect(await metadata().readTimes([])).toEqual([])
    })
    expect(requests).toEqual(['BatchGetItem of 3'])
    const { ConsistentRead, ProjectionExpression } =
      aws.proxy.requests.at(-1)?.body.RequestItems.table ?? {}
    expect({ ConsistentRead, ProjectionExpression }).toEqual({
      ...{ ConsistentRead: true, ProjectionExpression: 'pk, sk, readAt' },
    })
  })
})
