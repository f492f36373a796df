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
  expect(kept).toEqual(['1 2', '3', '4', '1'])
  expect(taken).toEqual(['1', '2', '3', '4', '4', '1'])
})
