import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import { contract } from '../../support/follower/followed.ts'
import { after, chainsSideBySide } from '../../support/follower/side-by-side.ts'
import { emitTransfers } from '../../support/follower/watched.ts'

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

  test('a chain that another follower has is as late as that follower has read it', async () => {
    const { followAMinute, table } = chainsSideBySide(chains)
    await followAMinute()
    const { head } = table.positions.get('BSC') ?? {}
    table.leases.set('BSC', { holder: 'another', until: Number.POSITIVE_INFINITY })
    const results = await followAMinute()
    expect(results['BSC']).toMatchObject({ report: { steps: 0 }, readUpTo: head?.at })
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

  test('side by side, one of them has each chain at any moment', async () => {
    const world = chainsSideBySide(chains)
    await Promise.all([
      world.followAMinute(),
      ...chains.map((chain) => world.followAMinute([chain])),
    ])
    for (const chain of chains) {
      const steps = (world.moves.get(chain) ?? []).map(({ position }) => position.step)
      expect(steps).toEqual(steps.map((_, index) => index + 1))
      expect(world.longestPause(chain)).toBe(5_000)
    }
  })
})
