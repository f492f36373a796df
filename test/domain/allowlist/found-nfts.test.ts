import { describe, expect, test } from 'vitest'
import { findFew } from '../../../lib/domain/allowlist/allowlist-selection.ts'
import { existingNfts } from '../../../lib/domain/allowlist/existing-nfts.ts'
import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import { CallsSpent } from '../../../lib/domain/limit/reservation.ts'
import type { BindingId } from '../../../lib/domain/nft/nft.ts'
import type { AllowedEntry } from '../../../lib/domain/ports/allowlist.ts'
import type { Indexer } from '../../../lib/domain/ports/indexer.ts'
import { emptyMemory } from '../../support/memory/memory.ts'
import { memoryPorts } from '../../support/memory/memory-ports.ts'
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

/** Token identifiers in the order of numbers. */
const ids = (count: number, step: number) =>
  Array.from({ length: count }, (_, index) => `${index * step}` as TokenId)

test.each([
  ['no', ids(0, 1), 0],
  ['ten', ids(10, 300), 0],
  ['just fewer than are read', ids(999, 7), 0],
  ['as many as are read, which end among the entries', ids(1_000, 1), 200],
  ['more than are read', ids(3_000, 1), 200],
])(
  'finds what a look-up of each finds, with %s identifiers on the allowlist',
  async (_, listed, looked) => {
    const [one, two] = ['one', 'two'] as BindingId[] as [BindingId, BindingId]
    const isListed = new Set(listed)
    const entries = ids(400, 5).flatMap((tokenId, index) => [
      { bindingId: one, tokenId },
      ...(index % 20 === 0 ? [{ bindingId: two, tokenId }] : []),
    ])
    let lookedUp = 0
    const found = await findFew({
      findAllowed: async <Entry extends AllowedEntry>(some: readonly Entry[]) => {
        lookedUp += some.filter(({ bindingId }) => bindingId === one).length
        return some.filter(({ tokenId }) => isListed.has(tokenId))
      },
      listIn: async (_, { first, last }, limit) =>
        listed.filter((id) => first <= BigInt(id) && BigInt(id) <= last).slice(0, limit),
    })(entries)
    expect(found).toEqual(entries.filter(({ tokenId }) => isListed.has(tokenId)))
    expect(lookedUp).toBe(looked)
  },
)
