import { describe, expect, test } from 'vitest'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import { readHoldings } from '../../../lib/domain/holdings/read-holdings.ts'
import type { KeptHoldings } from '../../../lib/domain/ports/kept-holdings.ts'
import { alice, contract } from '../../support/follower/followed.ts'

const now = 1_700_000_000_000

describe('a table that is overloaded', () => {
  const overloaded: KeptHoldings = {
    position: async () => ({ readBy: now, step: 7, confirmedUpTo: now }),
    contracts: async () => [
      { value: { address: contract, events: [], readUpTo: 110 }, readAt: now },
    ],
    lists: () => Promise.reject(new ServiceUnavailable('throttled')),
  }
  const query = { chain: 'POLYGON', wallets: [alice], contracts: [contract] } as const

  test('lets the indexer be asked', async () => {
    const { contracts, known } = await readHoldings(query, overloaded, () => now)
    expect(contracts.size).toBe(0)
    expect([...((await known) ?? [])]).toHaveLength(1)
  })

  test('fails a list that goes on in what is kept', async () => {
    const needed = { ...query, isNeeded: true }
    await expect(readHoldings(needed, overloaded, () => now)).rejects.toThrow(ServiceUnavailable)
  })
})
