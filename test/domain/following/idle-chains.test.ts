import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import { newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import { alice, bob, contract, other } from '../../support/follower/followed.ts'
import { chainsSideBySide } from '../../support/follower/side-by-side.ts'
import { contractAt } from '../../support/simulated-chain/followed-table.ts'
import { detailsOf, moves as movesOne } from '../keeping/said-events.ts'

const minute = 60_000

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
})

afterEach(() => {
  vi.useRealTimers()
})

/** Two chains with a kept contract, which were followed for a minute and read in it. Another contract of the second one is watched. */
async function readChains() {
  const world = chainsSideBySide(['POLYGON', 'BSC'])
  const { table, kept, moves, followAMinute } = world
  kept.contracts.set(other, newKeptContract(other))
  table.contracts.delete(contractAt('POLYGON', contract))
  await followAMinute(undefined, minute)
  /** Notes a read as a reader does. */
  const read = (chain: 'POLYGON' | 'BSC', at = Date.now()) => {
    const shown = table.readers.get(chain)
    if (shown) table.readers.set(chain, { ...shown, askedAt: at })
  }
  read('POLYGON')
  /** The seconds of the next minute in which a chain is polled. */
  const pollsOf = async (chain: 'POLYGON' | 'BSC') => {
    const startedAt = Date.now()
    moves.clear()
    await followAMinute(undefined, minute)
    return (moves.get(chain) ?? []).map(({ notedAt }) => (notedAt - startedAt) / 1_000)
  }
  return { ...world, read, pollsOf }
}

const often = [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55]

describe('D152: a chain is polled as often as it is used', () => {
  test('every followPollSeconds while what is kept is read, and for ten minutes after it', async () => {
    const { pollsOf } = await readChains()
    for (let passed = 0; passed < 10; passed += 1) expect(await pollsOf('POLYGON')).toEqual(often)
  })

  test('every 20 s when nobody has read it for ten minutes, beside another that is watched', async () => {
    const { read, pollsOf, moves } = await readChains()
    read('POLYGON', Date.now() - 11 * minute)
    expect(await pollsOf('POLYGON')).toEqual([0, 20, 40])
    expect(moves.get('BSC')).toHaveLength(12)
  })

  test('again every followPollSeconds with the poll after the first read', async () => {
    const { read, pollsOf } = await readChains()
    read('POLYGON', Date.now() - 11 * minute)
    setTimeout(() => read('POLYGON'), 10_000)
    expect(await pollsOf('POLYGON')).toEqual([0, 20, 25, 30, 35, 40, 45, 50, 55])
  })

  test('every 20 s without a contract that is kept or watched, and often again with one', async () => {
    const { table, kept, pollsOf } = await readChains()
    kept.contracts.clear()
    expect(await pollsOf('POLYGON')).toEqual([0, 20, 40])
    const watchedUntil = Date.now() + 86_400_000
    table.contracts.set(contractAt('POLYGON', other), { address: other, watchedUntil })
    expect(await pollsOf('POLYGON')).toEqual(often)
  })

  test('often while the table does not say whether it is read, and no step fails by it', async () => {
    const { ports, read, followAMinute } = await readChains()
    read('POLYGON', Date.now() - 11 * minute)
    ports.followNotes.showReaders = async () => {
      throw new ServiceUnavailable('throttled')
    }
    expect((await followAMinute(undefined, minute))['POLYGON']).toMatchObject({
      report: { steps: 12, failures: 0 },
    })
  })

  test('an idle chain misses no event, and confirms a block of the last 45 s', async () => {
    const { chain, kept, read, table, pollsOf } = await readChains()
    read('POLYGON', Date.now() - 11 * minute)
    chain.emit({ contract: other, ...detailsOf(movesOne(alice, bob, 1)) })
    await pollsOf('POLYGON')
    expect(kept.contracts.get(other)?.events).toMatchObject([{ from: alice, to: bob }])
    const { confirmedUpTo = 0 } = table.readers.get('POLYGON') ?? {}
    expect(Date.now() - 20_000 - confirmedUpTo).toBeLessThan(45_000)
  })
})

test('readers see each position of a chain with kept contracts, and never an earlier one', async () => {
  const { table, ports, followAMinute } = await readChains()
  await followAMinute(undefined, minute)
  const { step = 0, confirmedUpTo = 0 } = table.positions.get('POLYGON') ?? {}
  expect(table.readers.get('POLYGON')).toMatchObject({ step, confirmedUpTo })
  const earlier = { step: step - 1, confirmedUpTo }
  expect(await ports.followNotes.showReaders('POLYGON', earlier)).toBeUndefined()
  expect(table.readers.get('POLYGON')).toMatchObject({ step })
})
