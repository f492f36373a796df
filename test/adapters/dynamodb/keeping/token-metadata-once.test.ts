import { expect, onTestFinished, test, vi } from 'vitest'
import { keptOnceAnHour } from '../../../../lib/adapters/dynamodb/keeping/token-metadata-once.ts'
import type { KeptNft } from '../../../../lib/domain/ports/token-metadata.ts'
import { nft } from '../../../support/memory/owned-nfts.ts'

test('D155: metadata of a token is kept beside reads at most once an hour', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
  onTestFinished(() => void vi.useRealTimers())
  const kept: string[] = []
  const keep = keptOnceAnHour({
    keep: (nfts) => kept.push(nfts.map(({ tokenId }) => tokenId).join(' ')),
  })
  const of = (id: number): KeptNft => ({
    ...{ ...nft(id), metadataLink: '', metadata: { text: '{}' }, readAt: 0, retries: 0 },
  })
  keep([of(1), of(2), of(1)])
  keep([of(2)])
  keep([of(2), of(3)])
  vi.setSystemTime(Date.now() + 3_600_000)
  keep([of(1)])
  expect(kept).toEqual(['1 2', '3', '1'])
})
