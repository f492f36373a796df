import { beforeEach, describe, expect, test } from 'vitest'
import type { ChainEvent, ChainEvents } from '../../../lib/domain/ports/chain-events.ts'
import { alice, bob, contract, other } from '../../support/follower/followed.ts'
import { followerOfTwo } from './kept-follower.ts'
import { moves, movesAmounts, withoutContent } from './said-events.ts'

let follower: Awaited<ReturnType<typeof followerOfTwo>>

beforeEach(async () => {
  follower = await followerOfTwo()
})

/** The snapshot of the contract has ended now, and that of the other contract has not. */
async function expectEndOfOne(reason: string): Promise<void> {
  const { item, held, now, step } = follower
  expect(item()).toMatchObject({ snapshot: undefined, ended: { reason, at: now() } })
  // Confirms what this step has read.
  await step()
  expect(await held(alice)).toBeUndefined()
  await expectOtherKept()
}

async function expectOtherKept(): Promise<void> {
  const { item, held } = follower
  expect(item(other)).toMatchObject({ snapshot: { id: 'snapshot' } })
  expect(item(other)).not.toHaveProperty('ended')
  expect(await held(alice, other)).toEqual({ 1: 5n })
}

async function expectEndOfBoth(reason: string): Promise<void> {
  const { item, held, now } = follower
  for (const address of [contract, other]) {
    expect(item(address)).toMatchObject({ snapshot: undefined, ended: { reason, at: now() } })
    expect(await held(alice, address)).toBeUndefined()
  }
}

describe('what concerns one contract ends its snapshot alone', () => {
  test.each([
    ['without content', withoutContent],
    ['of the other standard', movesAmounts(null, bob, [2, 1])],
  ])('unknownEvent: an event %s, in the step that reads it', async (_, said) => {
    follower.emit(said)
    expect(await follower.step()).toBe('moved')
    await expectEndOfOne('unknownEvent')
  })

  /** Emits events of the other contract that take as many bytes as an item has a place for, and some digits more. */
  async function fillItem(moreDigits: number): Promise<void> {
    const identifiers = Array.from({ length: 3_745 }, (_, index) => 10n ** 76n + BigInt(index))
    const amounts = identifiers.map((tokenId): [bigint, number] => [tokenId, 1])
    follower.emit(movesAmounts(null, bob, ...amounts), other)
    await follower.step()
    expect(Object.keys((await follower.held(bob, other)) ?? {})).toHaveLength(3_745)
    const amount = 10n ** BigInt(60 + moreDigits)
    follower.emit(movesAmounts(null, alice, [10n ** 76n, amount]), other)
    await follower.step()
  }

  test('tooManyEvents: a digit more of an amount than an item has a place for', async () => {
    await fillItem(1)
    expect(follower.item(other)).toMatchObject({
      ...{ snapshot: undefined, events: [], ended: { reason: 'tooManyEvents' } },
    })
    expect(await follower.held(alice)).toEqual({ 1: 1n })
  })

  test('no end: as many events as an item has a place for', async () => {
    await fillItem(0)
    expect(follower.item(other).events).toHaveLength(2)
    expect(await follower.held(alice, other)).toEqual({ 1: 5n, [`${10n ** 76n}`]: 10n ** 60n })
  })
})

describe('lacking: the source does not tell events any more that it has told', () => {
  /** Both contracts have an event. That of the first one is not told any more. */
  async function hideEvent(): Promise<void> {
    follower.emit(moves(alice, bob, 1))
    follower.emit(movesAmounts(null, bob, [2, 1]), other)
    await follower.step()
    follower.chain.hidden.add(follower.chain.logs.at(-2) as ChainEvent)
  }

  test('for a minute nothing is confirmed, and since when is written once', async () => {
    await hideEvent()
    const { version } = follower.item()
    const position = follower.table.positions.get('POLYGON')
    const [lacksSince, otherItem] = [follower.now() + 5_000, follower.item(other)]
    for (let seconds = 0; seconds <= 60; seconds += 5) {
      expect(await follower.step()).toBe('behind')
      expect(follower.item()).toMatchObject({ version: version + 1, lacksSince })
    }
    expect(follower.table.positions.get('POLYGON')).toEqual(position)
    expect(follower.item(other)).toEqual(otherItem)
    expect(await follower.step()).toBe('moved')
    await expectEndOfOne('lacking')
    expect(follower.item()).toMatchObject({ events: [], lacksSince: undefined })
    expect(await follower.held(bob, other)).toEqual({ 2: 1n })
  })

  test('an event is lacking, too, if the node that is asked does not have its block', async () => {
    await hideEvent()
    const { chainEvents } = follower.ports
    const hidden = follower.item().events[0]?.block
    const block: ChainEvents['block'] = async (...query) =>
      query[1] === hidden ? undefined : chainEvents.block(...query)
    expect(await follower.step(5, { chainEvents: { ...chainEvents, block } })).toBe('behind')
    expect(follower.item().lacksSince).toBe(follower.now())
  })

  test('what is told again within a minute ends nothing, and the minute begins anew', async () => {
    await hideEvent()
    for (let seconds = 0; seconds <= 60; seconds += 5) await follower.step()
    follower.chain.hidden.clear()
    expect(await follower.step()).toBe('moved')
    expect(follower.item()).toMatchObject({ snapshot: { id: 'snapshot' }, lacksSince: undefined })
    await follower.step()
    expect(await follower.held(bob)).toEqual({ 1: 1n })
    await hideEvent()
    expect(await follower.step()).toBe('behind')
    expect(follower.item().lacksSince).toBe(follower.now())
  })

  test('an event of a replaced block is not lacking: the answer counts', async () => {
    follower.emit(moves(alice, bob, 1))
    await follower.step()
    await follower.step()
    follower.chain.replace(6)
    expect(await follower.step()).toBe('moved')
    expect(await follower.held(alice)).toEqual({ 1: 1n })
    await expectOtherKept()
  })
})

test.each<[string, (block: number) => Promise<unknown>]>([
  [
    'an hour, which ends its snapshot alone',
    async (block) => {
      await follower.stepUntil(() => follower.item().snapshot === undefined, 30)
      const head = follower.table.positions.get('POLYGON')?.head.number ?? 0
      expect(head - (block - 1)).toBeGreaterThan(1_800)
      expect(head - 15 - (block - 1)).toBeLessThanOrEqual(1_800)
      await expectEndOfOne('gap')
    },
  ],
  [
    'hours without a step, which end the snapshots of all contracts of the chain',
    async () => {
      await follower.step(3 * 3_600)
      await expectEndOfBoth('gap')
    },
  ],
  [
    'a lost position',
    async () => {
      follower.table.positions.clear()
      await follower.step()
    },
  ],
])(
  'gap: an old event that has not settled is gone from the item after %s, and no step reads its block',
  async (_, passGap) => {
    const { chain, throttled, emit, settle, step, item } = follower
    throttled.add(contract)
    const block = emit(moves(alice, bob, 1))
    await settle()
    expect(item().events).toMatchObject([{ block }])
    chain.queries = []
    await step()
    expect(chain.queries.at(-1)).toMatchObject({ contracts: 1, from: block })
    await passGap(block)
    expect(item()).toMatchObject({ events: [], ended: { reason: 'gap' } })
    expect(item().settledUpTo).toBeGreaterThan(block)
    chain.queries = []
    const later = emit(moves(bob, alice, 1))
    await step()
    expect(chain.queries).toMatchObject([{ contracts: 2 }])
    expect(chain.queries[0]?.from).toBeGreaterThan(block)
    expect(item().events).toMatchObject([{ block: later }])
  },
)

describe('what concerns the chain ends the snapshots of all of its contracts', () => {
  test('no gap: a follower that stood still for less than an hour', async () => {
    follower.emit(moves(alice, bob, 1))
    await follower.step(3_400)
    await follower.step()
    expect(await follower.held(bob)).toEqual({ 1: 1n })
    await expectOtherKept()
  })

  test('reorganization: the declared block was replaced, although no list was written', async () => {
    await follower.settle()
    follower.chain.replace(40)
    await follower.step()
    await expectEndOfBoth('reorganization')
  })

  test('no reorganization: the block after the declared one was replaced', async () => {
    await follower.settle()
    const { number } = follower.settling().declared
    follower.chain.replace(Math.floor(follower.now() / 2_000) - number)
    await follower.step()
    expect(await follower.held(alice)).toEqual({ 1: 1n })
    await expectOtherKept()
  })
})
