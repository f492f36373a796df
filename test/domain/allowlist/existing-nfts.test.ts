import { describe, expect, test } from 'vitest'
import { existingNfts } from '../../../lib/domain/allowlist/existing-nfts.ts'
import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import { CallsSpent } from '../../../lib/domain/limit/reservation.ts'
import type { Indexer } from '../../../lib/domain/ports/indexer.ts'
import { emptyMemory, memoryPorts } from '../../support/memory/memory-ports.ts'
import { connect, nft } from '../../support/memory/owned-nfts.ts'
import { range } from '../../support/memory/refreshing.ts'

/** Reads a range of each of three contracts, from an indexer whose second call fails with this failure. */
async function readWithFailure(failure: Error) {
  const memory = emptyMemory()
  connect(
    memory,
    [1, 2, 3].map((index) => nft(index, index)),
  )
  let calls = 0
  const indexer: Partial<Indexer> = {
    async nftsFrom() {
      calls += 1
      if (calls > 1) throw failure
      return { tokenIds: ['5' as TokenId] }
    },
  }
  const elements = [...memory.contracts.values()].map((contract) => ({
    contract,
    element: range(0, 9),
  }))
  const limits = { nfts: 100, contracts: 10, pages: 10, until: Number.POSITIVE_INFINITY }
  const found = await existingNfts(
    elements,
    limits,
    { ...memoryPorts(memory).indexer, ...indexer },
    Number.POSITIVE_INFINITY,
  )
  return { calls, found }
}

describe('D60: the NFTs of an allowlist that exist', () => {
  test('D78: are read up to the first range for which no call is left', async () => {
    const limit = { name: 'indexer_calls_by_day', count: 1, perSeconds: 86_400 } as const
    const { calls, found } = await readWithFailure(new CallsSpent(limit, 60))
    expect(calls).toBe(2)
    expect(found.nfts.map(({ tokenId }) => tokenId)).toEqual(['5'])
    expect(found.readUpTo).toMatchObject({ address: found.nfts[0]?.address, tokenId: '9' })
  })

  test('are not read without the answer of an indexer that fails', async () => {
    const down = new IndexerUnavailable('down')
    await expect(readWithFailure(down)).rejects.toBe(down)
  })
})
