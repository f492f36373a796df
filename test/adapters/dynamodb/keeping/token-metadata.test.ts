import { describe, expect, test, vi } from 'vitest'
import { keptOnceAnHour } from '../../../../lib/adapters/dynamodb/keeping/token-metadata.ts'
import {
  metadataDueKey,
  metadataKey,
} from '../../../../lib/adapters/dynamodb/keys/metadata-partitions.ts'
import { largestTokenId, tokenIdOf } from '../../../../lib/domain/allowlist/token-id.ts'
import type { Nft } from '../../../../lib/domain/nft/nft.ts'
import type { DueNote, KeptNft } from '../../../../lib/domain/ports/token-metadata.ts'
import { downstreamCalls } from '../../../../lib/observability/downstream-calls.ts'
import { nft, nfts } from '../../../support/memory/owned-nfts.ts'
import { now } from '../stored-fixture.ts'
import {
  dense,
  everything,
  kept,
  shownOf,
  sixtyDays,
  startTokenMetadata,
} from './token-metadata-fixture.ts'

const { aws, items, loseOnce, metadata, requestsOf } = await startTokenMetadata()

describe('the metadata of a token', () => {
  test.each<[string, Partial<KeptNft>]>([
    ['a text', { metadata: { text: '{"a": 1.0,\n "ü€😀":"\\ud800"}' } }],
    ['half of a surrogate pair', { metadata: { text: '{"a":"\ud800\n"}' } }],
    ['a fault', { metadata: { text: '{}', fault: 'not_available' }, retries: 2 }],
    ['a change', { changedAt: now - 5 }],
    [
      'a long link',
      { metadataLink: `data:application/json;base64,${'eyJh\ud800'.repeat(20_000)}` },
    ],
    ['a large text', { metadata: { text: `{"a":"${'x'.repeat(1_048_560)}"}` } }],
    ['nothing', { metadata: { text: '' }, metadataLink: '' }],
  ])('is read as it was kept: %s', async (_, more) => {
    const largest = { ...nft(0), tokenId: tokenIdOf(largestTokenId) }
    const one = kept(largest, more)
    await metadata().put([one])
    expect(await metadata().get([largest], everything)).toStrictEqual([shownOf(one)])
    expect(await items.get(metadataKey(largest))).toMatchObject({
      expiresAt: now / 1_000 + sixtyDays,
    })
  })

  test('is read in the order that is asked for, of each NFT in its contract and chain', async () => {
    const each = [nft(1), nft(1, 2), nft(1, 1, 'BSC'), nft(10)].map((token, readAt) =>
      kept(token, { readAt }),
    )
    expect(await requestsOf(() => metadata().put(each))).toEqual(each.map(() => 'PutItem'))
    const wanted = [nft(10), nft(2), nft(1), nft(10), nft(1, 1, 'BSC'), nft(1, 2)]
    const read = await metadata().get(wanted, everything)
    expect(read.map((found) => found?.readAt)).toEqual([3, undefined, 0, 3, 2, 1])
    expect(await metadata().get([], everything)).toEqual([])
  })

  test('is replaced by what was read later, never by what was read earlier', async () => {
    const put = (readAt: number, retries: number) =>
      metadata().put([kept(nft(1), { readAt, retries })])
    const retries = async () => (await metadata().get([nft(1)], everything))[0]?.retries
    await put(now - 10, 1)
    await put(now - 11, 2)
    expect(await retries()).toBe(1)
    await put(now - 10, 3)
    expect(await retries()).toBe(3)
    vi.setSystemTime(now + 1_000)
    await put(now - 9, 4)
    expect(await retries()).toBe(4)
    // It ends later, too.
    const expiresAt = now / 1_000 + 1 + sixtyDays
    expect(await items.get(metadataKey(nft(1)))).toMatchObject({ expiresAt })
  })

  test('is kept if the response is lost', async () => {
    loseOnce('PutItem')
    const requests = await requestsOf(() => metadata().put([kept(nft(1))]))
    expect(requests).toEqual(['PutItem', 'PutItem'])
    expect(await metadata().get([nft(1)], everything)).toHaveLength(1)
  })

  test('is not kept if it has more than 400 KB compressed, but when it was read', async () => {
    const one = kept(nft(1), { metadata: dense(560_000), readAt: now - 2 })
    await metadata().put([one, kept(nft(2), { metadata: dense(500_000) })])
    expect(await metadata().get([nft(1)], everything)).toEqual([undefined])
    expect((await metadata().get([nft(2)], everything))[0]?.metadata.text).toHaveLength(500_000)
    expect(await metadata().readTimes([nft(1)])).toEqual([now - 2])
    const { isTooLarge, data } = (await items.get(metadataKey(nft(1)))) ?? {}
    expect({ isTooLarge, data }).toEqual({ isTooLarge: true, data: undefined })
    await metadata().put([kept(nft(1), { readAt: now - 3 })])
    expect(await metadata().get([nft(1)], everything)).toEqual([undefined])
    await metadata().put([kept(nft(1))])
    expect(await metadata().get([nft(1)], everything)).toEqual([shownOf(kept(nft(1)))])
    expect(await items.get(metadataKey(nft(1)))).not.toHaveProperty('isTooLarge')
  })

  test.each<[string, object]>([
    ['its text', { data: new Uint8Array([1, 2, 3]) }],
    ['its form', { data: 'x' }],
    ['a time in the future', { readAt: now + 60_000 }],
    ['a time that is missing', { readAt: undefined }],
  ])('is not there if it is damaged, and is replaced: %s', async (_, damage) => {
    await metadata().put([kept(nft(1))])
    const key = metadataKey(nft(1))
    await items.put(key, { ...(await items.get(key)), ...damage })
    expect(await metadata().get([nft(1)], everything)).toEqual([undefined])
    await metadata().put([kept(nft(1), { retries: 7 })])
    expect(await metadata().get([nft(1)], everything)).toMatchObject([{ retries: 7 }])
  })

  test('is kept beside a request, which does not wait for it and does not fail', async () => {
    await downstreamCalls.during(async () => metadata().keep([kept(nft(1))]))
    expect(await metadata().get([nft(1)], everything)).toHaveLength(1)
    aws.interfere({ onRequest: () => ({ status: 500, body: {} }) })
    const requests = await requestsOf(() =>
      downstreamCalls.during(async () => metadata().keep([kept(nft(2))])),
    )
    expect(requests).toEqual(['PutItem'])
  })
})

test('D155: metadata of a token is kept beside reads at most once an hour', () => {
  const ids: string[] = []
  const keep = keptOnceAnHour({
    keep: (nfts) => ids.push(nfts.map(({ tokenId }) => tokenId).join(' ')),
  })
  const keptNft = (id: number) => kept(nft(id))
  const taken: string[] = []
  const takes = ({ tokenId }: KeptNft) => taken.push(tokenId) !== 4
  keep([keptNft(1), keptNft(2), keptNft(1)], takes)
  keep([keptNft(2)], takes)
  keep([keptNft(2), keptNft(3)], takes)
  // What is not taken is kept with a later request.
  keep([keptNft(4)], takes)
  keep([keptNft(3), keptNft(4)], takes)
  vi.setSystemTime(Date.now() + 3_600_000)
  keep([keptNft(1)], takes)
  expect(ids).toEqual(['1 2', '3', '4', '1'])
  expect(taken).toEqual(['1', '2', '3', '4', '4', '1'])
})

const note = (token: Nft, more: Partial<DueNote> = {}): DueNote => ({
  ...token,
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
    const [token, later] = [nft(1), now + 5]
    await write(note(token, { changedAt: now - 9 }))
    await write(note(token, { notedAt: later, askFrom: later, readAt: now - 8 }))
    await write(note(token, { notedAt: later, askFrom: later, readAt: now, changedAt: now - 9 }))
    expect(await due()).toEqual([note(token, { changedAt: now - 9 })])
    const changed = { notedAt: later, changedAt: now - 7, retries: 1 }
    await write(note(token, { ...changed, askFrom: later }))
    expect(await due()).toEqual([note(token, changed)])
    const readAgain = { notedAt: later + 9, readAt: later + 1, retries: 2 }
    await write(note(token, { ...readAgain, askFrom: later + 900 }))
    expect(await due()).toEqual([note(token, readAgain)])
  })

  test('fail for no request, and are written with the next one', async () => {
    aws.interfere({ onRequest: () => ({ status: 500, body: {} }) })
    expect(await write(note(nft(1)))).toEqual(['UpdateItem'])
    aws.interfere({})
    expect(await write(note(nft(1)))).toEqual(['UpdateItem'])
    expect(await due()).toHaveLength(1)
  })

  test('are taken by one of several workers', async () => {
    const each = nfts(20).map((token) => note(token))
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
