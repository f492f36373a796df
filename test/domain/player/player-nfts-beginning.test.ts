import { expect, test } from 'vitest'
import { beginPlayerNfts } from '../../../lib/domain/player/player-nfts-beginning.ts'
import { productId } from '../../support/memory/owned-nfts.ts'

test.each([
  ['nothing is remembered', false, {}, true],
  ['the caller accepts nothing that is kept', true, { refusesKept: true }, true],
  ['what is kept can answer', true, {}, false],
])(
  'the indexer is prepared beside the reads of a request, if %s',
  (_, isOn, acceptedAge, isPrepared) => {
    const begun: string[] = []
    beginPlayerNfts(
      { productId, acceptedAge },
      {
        contracts: { list: async () => [] },
        keptReadings: { isOn, positions: async () => new Map() },
        indexer: { prepare: () => begun.push('prepare') },
      },
    )
    expect(begun).toEqual(isPrepared ? ['prepare'] : [])
  },
)
