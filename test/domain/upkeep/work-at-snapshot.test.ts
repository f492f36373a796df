import { describe, expect, test } from 'vitest'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import { OwnersNotListed } from '../../../lib/domain/ports/indexer.ts'
import type { UpkeepWork } from '../../../lib/domain/work/work-item.ts'
import { contract, hour, kinds, minute, upkeepWorld } from './upkeep-world.ts'

const down = () => new IndexerUnavailable('down')

describe('D153: a snapshot', () => {
  const begun = async () => {
    const world = upkeepWorld()
    world.beginLog()
    const [item] = await world.upkeep()
    return { ...world, snapshot: item as UpkeepWork }
  }

  test('is taken to its end, and handed over, which is noted', async () => {
    const { snapshot, process, item, care, state, queue } = await begun()
    expect(await process(snapshot)).toMatchObject({ outcome: 'prepared' })
    expect(item().prepared).toMatchObject({ standard: 'ERC721' })
    expect(care()).toMatchObject({
      handedOver: [state.now],
      isBegun: false,
      snapshotFrom: state.now,
    })
    expect(kinds(queue.map((sent) => sent.item))).toEqual(['snapshot', 'dueMetadata'])
    expect(state.spent).toEqual([contract.address])
  })

  test('goes on in one item, whose turn it then is', async () => {
    const { snapshot, process, care, state, queue, follow } = await begun()
    // The second pass waits until the follower has read what the first one has.
    state.now += 6_000
    expect(await process(snapshot)).toMatchObject({ outcome: 'waiting' })
    const next = queue.at(-1)
    const turn = state.now + 5_000 + 10 * minute
    expect(next).toEqual({ item: { kind: 'snapshot', contract, turn }, delaySeconds: 5 })
    expect(care()).toMatchObject({ snapshotFrom: turn, isBegun: true, attempts: [state.now] })
    const count = queue.length
    expect(await process(snapshot)).toEqual({ outcome: 'overtaken' })
    expect(queue).toHaveLength(count)
    follow()
    expect(await process(next?.item as UpkeepWork)).toMatchObject({ outcome: 'prepared' })
    expect(care().attempts).toHaveLength(1)
  })

  test('of two items that are on their way, one goes on', async () => {
    const { snapshot, process, state, queue } = await begun()
    state.now += 5_000
    await Promise.all([process(snapshot), process(snapshot)])
    expect(queue.filter(({ item }) => item.kind === 'snapshot')).toHaveLength(2)
  })

  test('asks for the metadata of NFTs when it has begun', async () => {
    const { snapshot, process, state, queue } = await begun()
    state.now += 5_000
    await process(snapshot)
    const again = queue.at(-1)?.item as UpkeepWork
    await process(again)
    const prefetches = queue.filter(({ item }) => item.kind === 'prefetch')
    expect(prefetches).toEqual([
      { item: { kind: 'prefetch', contract, looked: 0 }, delaySeconds: 0 },
    ])
  })

  const unlisted = {
    'its owners are not listed': ({ state }: Awaited<ReturnType<typeof begun>>) => {
      state.ownersFail = new OwnersNotListed('HTTP 400')
      return 'HTTP 400'
    },
    'it follows no standard': ({ state, write }: Awaited<ReturnType<typeof begun>>) => {
      write({ log: undefined })
      state.standard = undefined
      return 'the contract follows no standard of NFTs'
    },
  }

  test.each(Object.entries(unlisted))(
    'is refused for a month if %s with each look of an hour, and not sooner',
    async (_, spoil) => {
      const world = await begun()
      const { process, queue, state, item, care, upkeep } = world
      const reason = spoil(world)
      let next = world.snapshot
      for (let looks = 0; looks < 6; looks += 1) {
        expect(await process(next)).toEqual({ outcome: 'unlisted', reason })
        expect([item().ended, queue.at(-1)?.delaySeconds]).toEqual([undefined, 600])
        next = queue.at(-1)?.item as UpkeepWork
        state.now += 10 * minute
      }
      expect(await process(next)).toEqual({ outcome: 'refused', reason })
      expect(item().ended).toEqual({ reason: 'notListed', at: state.now })
      expect([item().log, care().unlistedSince]).toEqual([undefined, 0])
      state.now += hour
      expect(kinds(await upkeep())).not.toContain('snapshot')
    },
  )

  test('goes on once the owners are listed again, and another hour counts from then', async () => {
    const world = await begun()
    const { process, queue, state, item, care } = world
    unlisted['its owners are not listed'](world)
    await process(world.snapshot)
    state.ownersFail = undefined
    state.now += hour
    expect(await process(queue.at(-1)?.item as UpkeepWork)).toEqual({ outcome: 'waiting' })
    expect(care().unlistedSince).toBe(0)
    await world.cares.note(contract, { unlistedSince: 5 })
    world.write({ log: undefined, ended: { reason: 'busy', at: state.now } })
    expect(await process(queue.at(-1)?.item as UpkeepWork)).toEqual({ outcome: 'nothing' })
    expect([item().ended?.reason, care().unlistedSince]).toEqual(['busy', 0])
  })

  test('that is in use is kept while the indexer does not list the owners any more', async () => {
    const world = await begun()
    const { process, state, item } = world
    world.use('7')
    const { snapshot } = item()
    const month = 30 * 24 * hour
    if (snapshot) world.write({ snapshot: { ...snapshot, at: state.now - month } })
    const reason = unlisted['its owners are not listed'](world)
    await world.cares.note(contract, { unlistedSince: state.now - 2 * hour })
    expect(await process(world.snapshot)).toEqual({ outcome: 'unlisted', reason })
    expect(item().snapshot?.id).toBe('7')
  })

  test('waits while the indexer is down, and while too little of the limits is left', async () => {
    const { snapshot, process, state, queue, care } = await begun()
    state.ownersFail = down()
    expect(await process(snapshot)).toEqual({ outcome: 'unavailable', reason: 'down' })
    expect(queue.at(-1)?.delaySeconds).toBe(60)
    state.hasLeft = false
    state.spent = []
    expect(await process(queue.at(-1)?.item as UpkeepWork)).toEqual({ outcome: 'later' })
    expect(queue.at(-1)?.delaySeconds).toBe(600)
    expect(care().snapshotFrom).toBe(state.now + 20 * minute)
    expect(state.spent).toEqual([])
  })

  test('is not begun a fourth time in a day', async () => {
    const { snapshot, process, state, care, cares, kept } = await begun()
    const attempts = [1, 2, 3].map((hours) => state.now - hours * hour)
    await cares.note(contract, { attempts, isBegun: true })
    expect(await process(snapshot)).toEqual({ outcome: 'nothing' })
    expect([care().isBegun, kept.attempts.size]).toEqual([false, 0])
  })

  test('of a contract that is not kept any more is not gone on with', async () => {
    const { snapshot, process, kept, queue } = await begun()
    kept.contracts.clear()
    const count = queue.length
    expect(await process(snapshot)).toEqual({ outcome: 'nothing' })
    expect(queue).toHaveLength(count)
  })
})
