import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { IndexerUnavailable, ServiceUnavailable } from '../../../lib/domain/failures.ts'
import { followChain, followChains } from '../../../lib/domain/following/follow-chain.ts'
import { newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { ChainEvents } from '../../../lib/domain/ports/chain-events.ts'
import type { FollowPosition } from '../../../lib/domain/ports/follow-notes.ts'
import { contractAt } from '../../../simulation/followed-table.ts'
import { memoryChain } from '../../../simulation/memory-chain.ts'
import { tablePorts } from '../../../simulation/table-ports.ts'
import {
  alice,
  bob,
  contract,
  emitTransfers,
  other,
  settings,
} from '../../support/follower/followed.ts'
import { detailsOf, moves as movesOne } from '../keeping/said-events.ts'

/** Every chain answers alike, unless a test replaces its source. */
type Sources = Partial<Record<Chain, Partial<ChainEvents>>>

/** Waits with the timers of the test. */
const after = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds)
  })

/** Chains with a watched contract each, the tables of their followers, and a clock that tests move (`vi.useFakeTimers`). */
function chainsSideBySide(chains: readonly Chain[], sources: Sources = {}) {
  const { followed: table, kept, followNotes: notes, ...keeping } = tablePorts(Date.now)
  const chain = memoryChain(Date.now)
  for (const name of chains) {
    const watchedUntil = Date.now() + 86_400_000
    table.contracts.set(contractAt(name, contract), { address: contract, watchedUntil })
  }
  const of = (name: Chain): ChainEvents => ({ ...chain, ...sources[name] })
  const chainEvents: ChainEvents = {
    head: (name, deadline) => of(name).head(name, deadline),
    block: (name, ...query) => of(name).block(name, ...query),
    events: (query, deadline) => of(query.chain).events(query, deadline),
  }
  /** The positions of each chain, in their order, with the time at which each was noted. */
  const moves = new Map<Chain, { position: FollowPosition; notedAt: number }[]>()
  const followNotes: typeof notes = {
    ...notes,
    async moveTo(name, holder, position, from) {
      const hasMoved = await notes.moveTo(name, holder, position, from)
      const before = moves.get(name) ?? []
      if (hasMoved) moves.set(name, [...before, { position, notedAt: Date.now() }])
      return hasMoved
    },
  }
  const ports: Parameters<typeof followChain>[1] = {
    ...{ chainEvents, followNotes, keeping, now: Date.now, sleep: after },
  }

  /** Follows the chains for a minute, as an invocation does, while this time passes: by default that of its timeout. */
  async function followAMinute(followed: readonly Chain[] = chains, milliseconds = 75_000) {
    const until = Date.now() + 60_000
    const result = followChains(
      { chains: followed, holder: `from ${Date.now()}` },
      ports,
      settings,
      until,
      (follow) => follow(),
    )
    await vi.advanceTimersByTimeAsync(milliseconds)
    return Object.fromEntries((await result).map((each) => [each.chain, each]))
  }

  /** Starts a follower of a chain that dies before it notes its position, with its lease. */
  async function dieInStep(name: Chain): Promise<void> {
    const dying = { ...followNotes, moveTo: () => new Promise<boolean>(() => undefined) }
    const follower = { chain: name, holder: 'dying' }
    void followChain(follower, { ...ports, followNotes: dying }, settings, Date.now() + 60_000)
    await vi.advanceTimersByTimeAsync(0)
  }

  /** The longest time between two notes of a chain's position, in milliseconds. */
  const longestPause = (name: Chain) => {
    const times = (moves.get(name) ?? []).map(({ notedAt }) => notedAt)
    return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)))
  }
  return { chain, table, kept, ports, moves, followAMinute, dieInStep, longestPause }
}

const chains: readonly Chain[] = ['POLYGON', 'BSC', 'ETHEREUM', 'BASE']

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
})

afterEach(() => {
  vi.useRealTimers()
})

const defect = new TypeError('a defect of the follower')

describe('D152: chains are followed side by side', () => {
  test('each with steps, a position and a result of its own', async () => {
    const { followAMinute, table, moves } = chainsSideBySide(chains)
    const results = await followAMinute()
    for (const chain of chains) {
      expect(moves.get(chain)).toHaveLength(12)
      expect(results[chain]).toEqual({
        chain,
        report: expect.objectContaining({ steps: 12, failures: 0 }),
        readUpTo: table.positions.get(chain)?.head.at,
      })
    }
    expect(table.leases.size).toBe(0)
  })

  test('a chain that is silent for the whole time of each step delays no other', async () => {
    const head = async () => {
      await after(12_000)
      throw new IndexerUnavailable('timed out after 12000 ms')
    }
    const { followAMinute, longestPause, table } = chainsSideBySide(chains, { ETHEREUM: { head } })
    const results = await followAMinute()
    expect(results['ETHEREUM']).toMatchObject({ report: { steps: 0, failures: 5 } })
    for (const chain of ['POLYGON', 'BSC', 'BASE'] as const) {
      expect(longestPause(chain)).toBe(5_000)
    }
    expect(table.leases.size).toBe(0)
  })

  test('a defect ends its chain until the next minute, and no other, and every lease is released', async () => {
    let fails = true
    const events = async () => {
      if (fails) throw defect
      return []
    }
    const { followAMinute, longestPause, table } = chainsSideBySide(chains, { BSC: { events } })
    const results = await followAMinute()
    expect(results['BSC']).toEqual({ chain: 'BSC', defect, readUpTo: undefined })
    for (const chain of ['POLYGON', 'ETHEREUM', 'BASE'] as const) {
      expect(longestPause(chain)).toBe(5_000)
    }
    expect(table.leases.size).toBe(0)
    fails = false
    expect(await followAMinute()).toMatchObject({ BSC: { report: { steps: 12 } } })
  })

  test('a chain that another follower has is not asked about, and as late as that one has read it', async () => {
    const sources: Sources = {}
    const { followAMinute, table } = chainsSideBySide(chains, sources)
    await followAMinute()
    const { head } = table.positions.get('BSC') ?? {}
    table.leases.set('BSC', { holder: 'another', until: Number.POSITIVE_INFINITY })
    sources['BSC'] = { head: () => Promise.reject(new IndexerUnavailable('asked')) }
    const results = await followAMinute()
    expect(results['BSC']).toMatchObject({ report: { steps: 0, failures: 0 }, readUpTo: head?.at })
    expect(table.leases.get('BSC')?.holder).toBe('another')
  })

  test('a follower whose lease another one takes in its step ends quietly, without a position', async () => {
    const sources: Sources = {}
    const { chain, followAMinute, table } = chainsSideBySide(['BSC'], sources)
    const head: ChainEvents['head'] = (...query) => {
      table.leases.set('BSC', { holder: 'another', until: Number.POSITIVE_INFINITY })
      return chain.head(...query)
    }
    sources['BSC'] = { head }
    expect(await followAMinute()).toMatchObject({ BSC: { report: { steps: 0, failures: 0 } } })
    expect(table.positions.size).toBe(0)
    expect(table.leases.get('BSC')?.holder).toBe('another')
  })
})

describe('D152: the change from a follower for each chain, and back', () => {
  test.each<[string, readonly (readonly Chain[])[]]>([
    ['to one follower', [chains]],
    ['to a follower for each chain', chains.map((chain) => [chain])],
  ])('%s, after the earlier ones died in a step', async (_, followers) => {
    const world = chainsSideBySide(chains)
    await world.followAMinute(chains, 60_000)
    emitTransfers(world.chain, contract)
    await vi.advanceTimersByTimeAsync(2_000)
    for (const chain of chains) await world.dieInStep(chain)
    await Promise.all(followers.map((each) => world.followAMinute(each)))
    for (const chain of chains) {
      const moves = world.moves.get(chain) ?? []
      const times = moves.map(({ position }) => position.head.at)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      // Readers rely on positions that are at most 60 s old.
      expect(world.longestPause(chain)).toBeLessThan(50_000)
      expect(world.table.positions.get(chain)?.log?.seen).toEqual({
        [contract]: [expect.any(Number)],
      })
    }
    expect(world.table.leases.size).toBe(0)
  })
})

const minute = 60_000

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
