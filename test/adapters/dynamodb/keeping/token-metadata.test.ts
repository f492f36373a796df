import { describe, expect, test, vi } from 'vitest'
import { keptOnceAnHour } from '../../../../lib/adapters/dynamodb/keeping/token-metadata.ts'
import { metadataKey } from '../../../../lib/adapters/dynamodb/keys/metadata-partitions.ts'
import { largestTokenId, tokenIdOf } from '../../../../lib/domain/allowlist/token-id.ts'
import type { KeptNft } from '../../../../lib/domain/ports/token-metadata.ts'
import { downstreamCalls } from '../../../../lib/observability/downstream-calls.ts'
import { nft } from '../../../support/memory/owned-nfts.ts'
import {
  dense,
  everything,
  kept,
  now,
  shownOf,
  sixtyDays,
  startTokenMetadata,
} from './token-metadata-fixture.ts'

const { aws, items, metadata, requestsOf } = await startTokenMetadata()

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
    const of = { ...nft(0), tokenId: tokenIdOf(largestTokenId) }
    const one = kept(of, more)
    await metadata().put([one])
    expect(await metadata().get([of], everything)).toStrictEqual([shownOf(one)])
    expect(await items.get(metadataKey(of))).toMatchObject({ expiresAt: now / 1_000 + sixtyDays })
  })

  test('is read in the order that is asked for, of each NFT in its contract and chain', async () => {
    const each = [nft(1), nft(1, 2), nft(1, 1, 'BSC'), nft(10)].map((of, readAt) =>
      kept(of, { readAt }),
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
    const lost = aws.proxy.count('PutItem')
    aws.interfere({ onResponse: ({ index }) => (index === lost ? 'drop' : undefined) })
    await metadata().put([kept(nft(1))])
    expect(aws.proxy.count('PutItem') - lost).toBe(2)
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
  const of = (id: number) => kept(nft(id))
  const taken: string[] = []
  const takes = ({ tokenId }: KeptNft) => taken.push(tokenId) !== 4
  keep([of(1), of(2), of(1)], takes)
  keep([of(2)], takes)
  keep([of(2), of(3)], takes)
  // What is not taken is kept with a later request.
  keep([of(4)], takes)
  keep([of(3), of(4)], takes)
  vi.setSystemTime(Date.now() + 3_600_000)
  keep([of(1)], takes)
  expect(ids).toEqual(['1 2', '3', '4', '1'])
  expect(taken).toEqual(['1', '2', '3', '4', '4', '1'])
})
