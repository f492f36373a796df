import { describe, expect, test } from 'vitest'
import { newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import { understoodEvents } from '../../../lib/domain/holdings/kept-event.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import { now } from './audited-contract.ts'
import { event, lookedAt, one, two } from './looked-at.ts'

const nothing = { ended: [], again: [], refused: [] }
const again = (address: Address, since = 50) => ({ address, id: '7', since, isSuspected: true })

const [first, second, third] = [event(one, 99), event(one, 100), event(one, 250)]
const [fourth, last] = [event(one, 250, 4), event(one, 400)]

/** Two contracts with events in several blocks, of which everything has settled, some of it before and after the blocks. */
async function settled() {
  const looked = lookedAt()
  const ofTwo = [event(two, 98), event(two, 250), event(two, 399)]
  await looked.settle(two, 90, 98, ...ofTwo)
  await looked.settle(one, 95, 105, first, second)
  await looked.settle(one, 245, 251, third, fourth)
  await looked.settle(one, 399, 400, last)
  await looked.settle(two, 249, 250, ...ofTwo)
  await looked.settle(two, 250, 399, ...ofTwo)
  looked.tell(first, second, third, fourth, last, ...ofTwo, event(one, 251, 0, 'metadata'))
  return looked
}

describe('a second look at events that have settled', () => {
  test('finds the same, with one call for all contracts', async () => {
    const { look, calls } = await settled()
    expect(await look()).toEqual(nothing)
    const digests = ['digests of 100-400', 'digests of 100-400']
    // What has settled up to the block 105 began with the block 96.
    expect(calls).toEqual(['position', 'kept contracts', ...digests, 'events 96-399 of 2'])
  })

  test('asks for nothing without contracts, and of snapshots that are not in use any more', async () => {
    const { look, calls, kept, item } = await settled()
    kept.contracts.set(one, { ...newKeptContract(one), version: 1 })
    const snapshot = { id: '8', standard: 'ERC721', step: 9, since: 5, at: 0 } as const
    kept.contracts.set(two, { ...newKeptContract(two), version: 1, snapshot })
    expect(await look()).toEqual(nothing)
    expect(calls).toEqual(['position', 'kept contracts'])
    expect(item(two)?.snapshot).toEqual(snapshot)
  })

  test('is not fooled by a follower that settles the same events again, or with later ones', async () => {
    const { look, settle } = await settled()
    await settle(one, 245, 251, fourth, third)
    await settle(one, 245, 300, third, fourth)
    await settle(one, 249, 290, third, fourth)
    expect(await look()).toEqual(nothing)
  })
})

describe('a log that shows up late', () => {
  test.each([
    ['in a block without events', event(one, 300)],
    ['in a block with events', event(one, 250, 9)],
    ['in the first block', event(one, 100, 1)],
    ['in the last block', event(one, 399)],
    ['that says nothing that its standard defines', event(one, 300, 0, 'unknown')],
  ])('%s ends the snapshot of its contract with the second look that finds it', async (_, late) => {
    const { look, tell, item } = await settled()
    tell(late)
    expect(await look()).toEqual({ ...nothing, again: [again(one)] })
    expect(item(one)).toMatchObject({ snapshot: { id: '7' } })
    const { ended } = await look(50, true)
    expect(ended).toEqual([{ address: one, isRepeated: false }])
    expect(item(one)).toMatchObject({
      ...{ snapshot: undefined, ended: { reason: 'secondLook', at: now } },
    })
    expect(item(two)).toMatchObject({ snapshot: { id: '7' }, version: 1 })
  })

  test('in place of another one is found by its digest', async () => {
    const { look, source } = await settled()
    source.events = source.events.map((each) => (each.index === 4 ? event(one, 250, 5) : each))
    expect(await look()).toEqual({ ...nothing, again: [again(one)] })
    source.events = source.events.map((each) =>
      each.block.number === 100 ? event(one, 100, 0, 'transfer', 'b') : each,
    )
    expect(await look()).toEqual({ ...nothing, again: [again(one)] })
  })

  test.each([
    ['in a block with events', event(one, 250, 9)],
    ['in a block without events', event(one, 248)],
  ])(
    '%s is found if the follower settles its blocks again with it, because lists can have been written before',
    async (_, late) => {
      const { look, tell, settle } = await settled()
      tell(late)
      await settle(one, 245, 251, third, fourth, late)
      expect(await look()).toEqual({ ...nothing, again: [again(one)] })
    },
  )

  test('before the blocks is found if it belongs to what has settled in them', async () => {
    const { look, tell } = await settled()
    tell(event(one, 97))
    expect(await look()).toEqual({ ...nothing, again: [again(one)] })
  })

  test('that belongs to what has settled after the blocks is found with the next ones', async () => {
    const { look, tell, settle, setSettled } = lookedAt()
    setSettled(700)
    await settle(one, 390, 410, event(one, 395))
    tell(event(one, 395), event(one, 398))
    expect(await look()).toEqual(nothing)
    const next = { from: 400, to: 699 }
    expect(await look(50, undefined, [one], next)).toEqual({ ...nothing, again: [again(one)] })
  })

  test('of other blocks is none of this look', async () => {
    const { look, tell } = await settled()
    tell(event(one, 95), event(one, 400, 1))
    expect(await look()).toEqual(nothing)
  })
})

describe('what is not misjudged', () => {
  test('a node that lacks events once', async () => {
    const { look, source, item } = await settled()
    const { events } = source
    source.events = events.filter(({ block }) => block.number < 300)
    expect(await look()).toEqual({ ...nothing, again: [again(two)] })
    source.events = events
    expect(await look(50, true, [two])).toEqual(nothing)
    expect(item(two)).toMatchObject({ snapshot: { id: '7' } })
  })

  test('a contract that began to be kept in the middle of the blocks', async () => {
    const { look, tell, calls, settle } = lookedAt()
    tell(event(one, 120), event(one, 250))
    // Of an earlier snapshot, which had missed the event.
    await settle(one, 240, 250)
    expect(await look(250)).toEqual(nothing)
    expect(calls).toContain('digests of 100-400')
    tell(event(one, 251))
    expect(await look(250)).toEqual({ ...nothing, again: [again(one, 250)] })
    calls.length = 0
    expect(await look(399)).toEqual(nothing)
    expect(calls).toEqual(['position', 'kept contracts'])
  })

  test('a contract of which not all events have settled is looked at later', async () => {
    const { look, kept, item } = await settled()
    const events = understoodEvents([event(one, 398, 0)], 'ERC721').events
    kept.contracts.set(one, { ...newKeptContract(one), ...item(one), events })
    const later = { address: one, id: '7', since: 50 }
    expect(await look()).toEqual({ ...nothing, again: [later] })
    expect(await look(50, true)).toEqual({
      ...{ ended: [], again: [{ ...later, isSuspected: true }], refused: [] },
    })
  })

  test('blocks up to which nothing has settled, or that nobody has followed', async () => {
    const { look, setSettled, ports } = await settled()
    setSettled(398)
    const later = [one, two].map((address) => ({ address, id: '7', since: 50 }))
    expect(await look()).toEqual({ ...nothing, again: later })
    ports.followNotes.position = async () => undefined
    expect(await look()).toEqual({ ...nothing, again: later })
  })

  test('a contract whose events the source refuses', async () => {
    const { look, source, item } = await settled()
    source.refuses = ({ contracts }) => contracts.includes(one)
    expect(await look()).toEqual({ ...nothing, refused: [one] })
    expect(item(one)).toMatchObject({ snapshot: { id: '7' } })
  })
})

describe('more events than a step of the follower holds', () => {
  const busy = Array.from({ length: 12_000 }, (_, index) => event(one, 100 + (index % 300), index))

  test('are read in parts of the blocks', async () => {
    const { look, settle, tell, calls } = lookedAt()
    await settle(one, 99, 399, ...busy)
    tell(...busy)
    expect(await look()).toEqual(nothing)
    const parts = ['100-249', '100-174', '175-249', '250-399', '250-324', '325-399']
    expect(calls.filter((call) => call.startsWith('events'))).toEqual([
      ...['events 100-399 of 2', ...parts.map((part) => `events ${part} of 1`)],
    ])
    tell(event(one, 330, 99_999))
    expect(await look()).toEqual({ ...nothing, again: [again(one)] })
  })

  test('of a single block are left out', async () => {
    const { look, tell } = lookedAt()
    tell(...busy.map((each, index) => event(one, 200, index, 'transfer', each.block.hash[2])))
    expect(await look()).toEqual({ ...nothing, refused: [one] })
  })
})
