import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { alice, contract, other, settings } from '../../support/follower/followed.ts'
import { chainsSideBySide } from '../../support/follower/side-by-side.ts'
import { contractAt, movementAt } from '../../support/remembered-model/followed-table.ts'

const minute = 60_000

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
})

afterEach(() => {
  vi.useRealTimers()
})

/** Two chains, which were followed for a minute and read in it. */
async function readChains() {
  const world = chainsSideBySide(['POLYGON', 'BSC'])
  const { table, moves, followAMinute } = world
  await followAMinute(undefined, minute)
  /** Notes a read as a reader does. */
  const read = (chain: 'POLYGON' | 'BSC', at = Date.now()) => {
    const position = table.positions.get(chain)
    if (position) table.positions.set(chain, { ...position, askedAt: at })
  }
  read('POLYGON')
  read('BSC')
  const endLease = (address = contract) => table.contracts.delete(contractAt('POLYGON', address))
  /** The seconds of the next minute in which a chain is polled. */
  const pollsOf = async (chain: 'POLYGON' | 'BSC') => {
    const startedAt = Date.now()
    moves.clear()
    await followAMinute(undefined, minute)
    return (moves.get(chain) ?? []).map(({ notedAt }) => (notedAt - startedAt) / 1_000)
  }
  return { ...world, read, pollsOf, endLease }
}

const often = [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55]

describe('D89: a chain is polled as often as it is used', () => {
  test('every followPollSeconds while it is read, and for ten minutes after it', async () => {
    const { pollsOf } = await readChains()
    for (let passed = 0; passed < 10; passed += 1) expect(await pollsOf('POLYGON')).toEqual(often)
  })

  test('every 30 s when nobody has read it for ten minutes, beside another that is read', async () => {
    const { read, pollsOf, moves } = await readChains()
    read('POLYGON', Date.now() - 11 * minute)
    expect(await pollsOf('POLYGON')).toEqual([0, 30])
    expect(moves.get('BSC')).toHaveLength(12)
  })

  test('again every followPollSeconds with the poll after the first read', async () => {
    const { read, pollsOf } = await readChains()
    read('POLYGON', Date.now() - 11 * minute)
    setTimeout(() => read('POLYGON'), 10_000)
    expect(await pollsOf('POLYGON')).toEqual([0, 30, 35, 40, 45, 50, 55])
  })

  test('once a minute without a leased contract, and often again with one', async () => {
    const { table, pollsOf, endLease } = await readChains()
    endLease()
    expect(await pollsOf('POLYGON')).toEqual([0])
    const leasedUntil = Date.now() + 86_400_000
    table.contracts.set(contractAt('POLYGON', other), { address: other, leasedUntil })
    const askedAt = Date.now()
    expect(await pollsOf('POLYGON')).toEqual(often)
    // The reading that has caused the lease is usable.
    const { since } = table.contracts.get(contractAt('POLYGON', other)) ?? {}
    expect(since?.at).toBeLessThanOrEqual(askedAt - settings.settlingSeconds * 1_000)
  })

  test('often while no read was ever noted, as with readers of an earlier release', async () => {
    const { table, pollsOf } = await readChains()
    const { askedAt: _, ...position } = table.positions.get('POLYGON') ?? {}
    table.positions.set('POLYGON', position as NonNullable<ReturnType<typeof table.positions.get>>)
    expect(await pollsOf('POLYGON')).toEqual(often)
  })

  test('an idle chain misses no event, and is never more than 60 s behind', async () => {
    const { chain, read, table, pollsOf } = await readChains()
    read('POLYGON', Date.now() - 11 * minute)
    chain.emit({ contract, wallets: [alice] })
    setTimeout(() => chain.emit({ contract: other, wallets: [] }), 15_000)
    await pollsOf('POLYGON')
    expect(table.moved.has(movementAt('POLYGON', alice, contract))).toBe(true)
    const { head } = table.positions.get('POLYGON') ?? {}
    expect(Date.now() - (head?.at ?? 0)).toBeLessThan(60_000)
  })
})
