import { expect, test } from 'vitest'
import { beginPlayerNfts } from '../../../lib/domain/player/player-nfts-beginning.ts'
import { keptPorts } from '../../support/kept-model/kept-ports.ts'
import { nft, productId } from '../../support/memory/owned-nfts.ts'

test.each([
  ['the indexer is prepared if nothing is kept', false, {}, ['prepare']],
  [
    'the indexer is prepared if the caller accepts nothing',
    true,
    { refusesKept: true },
    ['prepare'],
  ],
  [
    'positions are read if what is kept can answer',
    true,
    {},
    ['position of POLYGON', 'entries of product 42'],
  ],
])('D156: beside the reads of a request, %s', async (_, isKeeping, acceptedAge, begins) => {
  const begun: string[] = []
  const { keptChains, keptHoldings } = keptPorts([nft(1)], [], 0)
  const position: typeof keptHoldings.position = async (chain) => {
    begun.push(`position of ${chain}`)
    throw new Error('not needed')
  }
  const { positions } = beginPlayerNfts(
    { productId, userId: 42, acceptedAge },
    {
      contracts: { list: async () => [] },
      allowedTokenIds: {
        expected: (name) => {
          begun.push(`entries of ${name}`)
          return async () => []
        },
      },
      ...(isKeeping && { keeping: { keptChains, keptHoldings: { ...keptHoldings, position } } }),
      indexer: { prepare: () => begun.push('prepare') },
    },
  )
  expect(begun).toEqual(begins)
  expect([...(positions?.keys() ?? [])]).toEqual(begins.includes('prepare') ? [] : ['POLYGON'])
})
