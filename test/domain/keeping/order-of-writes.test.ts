import { describe, expect, test } from 'vitest'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import type { ChainEvents } from '../../../lib/domain/ports/chain-events.ts'
import { alice, beforeEachCall, bob, contract, other } from '../../support/follower/followed.ts'
import { followerOfTwo } from './kept-follower.ts'
import { moves } from './said-events.ts'

test('a step that settles writes the lists, then the item, then the position, and then what readers see of it', async () => {
  const { ports, emit, stepUntil, list } = await followerOfTwo()
  const calls: string[] = []
  const noted = <Port extends object>(port: Port) =>
    beforeEachCall(port, async (call) => {
      calls.push(call)
    })
  const use = {
    keptContracts: noted(ports.keptContracts),
    followNotes: noted(ports.followNotes),
  }
  emit(moves(alice, bob, 1))
  const hasSettled = () => {
    if (list(bob)) return true
    calls.length = 0
    return false
  }
  await stepUntil(hasSettled, 5, use)
  const writes = calls.slice(calls.indexOf('noteHolders')).filter((call) => call !== 'log')
  expect(writes).toEqual(['noteHolders', 'change', 'change', 'write', 'moveTo', 'showReaders'])
})

test.each(['change', 'write'] as const)(
  'a step is lost, and moves no position, if what it writes is not as it was read any more: %s',
  async (call) => {
    const { ports, table, emit, stepUntil, result } = await followerOfTwo()
    const keptContracts = { ...ports.keptContracts, [call]: async () => false }
    emit(moves(alice, bob, 1))
    let before = table.positions.get('POLYGON')
    const isLost = () => {
      if (result().outcome === 'lost') return true
      before = table.positions.get('POLYGON')
      return false
    }
    await stepUntil(isLost, 5, { keptContracts })
    expect(table.positions.get('POLYGON')).toEqual(before)
  },
)

test('a step is lost if another one has moved the position since', async () => {
  const { ports, table, step } = await followerOfTwo()
  const { moveTo } = ports.followNotes
  const followNotes: typeof ports.followNotes = {
    ...ports.followNotes,
    async moveTo(...move) {
      const [chain, , , from] = move
      if (from) table.positions.set(chain, { ...from, step: from.step + 1 })
      return await moveTo(...move)
    },
  }
  const { step: before = 0 } = table.positions.get('POLYGON') ?? {}
  expect(await step(5, { followNotes })).toBe('lost')
  expect(table.positions.get('POLYGON')?.step).toBe(before + 1)
})

describe('a lease that has run out', () => {
  /** Follows the chain as another follower, which the source fails for some seconds, and returns how often each item was written. */
  async function writesOf(follower: Awaited<ReturnType<typeof followerOfTwo>>, failing = 0) {
    const { ports, now, follow, item } = follower
    const versions = () => [contract, other].map((address) => item(address).version)
    const [before, failsUntil] = [versions(), now() + failing * 1_000]
    let calls = 0
    const head: ChainEvents['head'] = async (...query) => {
      const latest = await ports.chainEvents.head(...query)
      if (now() >= failsUntil) return latest
      calls += 1
      if (calls % 2 === 0) throw new IndexerUnavailable('silent')
      // A node that is behind.
      return { ...latest, number: 1 }
    }
    await follow(failing + 20, { ...ports, chainEvents: { ...ports.chainEvents, head } })
    return versions().map((version, index) => version - (before[index] ?? 0))
  }

  test('lets who takes it over write every item with the first step that counts, and with no other', async () => {
    const follower = await followerOfTwo()
    follower.table.leases.set('POLYGON', { holder: 'another', until: follower.now() })
    expect(await writesOf(follower)).toEqual([1, 1])
    // That one has released it.
    expect(await writesOf(follower)).toEqual([0, 0])
  })

  test('is known to who has renewed it since, and to who comes next, until a step counts', async () => {
    const follower = await followerOfTwo()
    const { ports, table, now, sleep, follow } = follower
    table.leases.set('POLYGON', { holder: 'another', until: now() })
    expect(await writesOf(follower, 60)).toEqual([1, 1])
    table.leases.set('POLYGON', { holder: 'another', until: now() })
    const head = async () => {
      throw new IndexerUnavailable('silent')
    }
    await follow(20, { ...ports, chainEvents: { ...ports.chainEvents, head } })
    await sleep(40_000)
    expect(await writesOf(follower)).toEqual([1, 1])
  })
})
