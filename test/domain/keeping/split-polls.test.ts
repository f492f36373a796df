import { beforeEach, describe, expect, test } from 'vitest'
import type { ChainEvent, ChainEvents } from '../../../lib/domain/ports/chain-events.ts'
import { alice, bob, contract, other } from '../../support/follower/followed.ts'
import { followerOfTwo } from './kept-follower.ts'
import { moves } from './said-events.ts'

let follower: Awaited<ReturnType<typeof followerOfTwo>>
let position: () => { step: number; head: { number: number } }

beforeEach(async () => {
  follower = await followerOfTwo()
  follower.chain.maxBlocks = 10
  position = () => follower.table.positions.get('POLYGON') ?? { step: 0, head: { number: 0 } }
})

/** The latest block of the chain. */
const latest = () => Math.floor(follower.now() / 2_000)

describe('a source that takes ten blocks in a call, so that a poll makes several', () => {
  test('a first poll confirms nothing, and says what the next one is compared with', async () => {
    const [{ head, step }, item] = [position(), follower.item()]
    const block = follower.emit(moves(alice, bob, 1))
    expect(await follower.step()).toBe('behind')
    expect(position()).toMatchObject({ head, step: step + 1 })
    expect(follower.settling().answer).toEqual({
      readUpTo: latest(),
      askedAt: follower.now(),
      events: {
        [contract]: [[block, expect.stringMatching(/^[0-9a-f]{12}\.0$/)]],
        [other]: [],
      },
    })
    expect(follower.item()).toEqual(item)
  })

  test('a second one with the same events counts, up to the last block of the first', async () => {
    const first = follower.emit(moves(alice, bob, 1))
    await follower.step()
    const readUpTo = latest()
    follower.emit(moves(bob, null, 1))
    expect(await follower.step(8)).toBe('moved')
    expect(follower.item()).toMatchObject({ readUpTo, events: [{ block: first }] })
    expect(follower.settling().answer?.readUpTo).toBe(latest())
    expect(await follower.step(8)).toBe('moved')
    expect(follower.item().events).toHaveLength(2)
  })

  test('one less than eight seconds later confirms nothing, and is compared with nothing', async () => {
    follower.emit(moves(alice, bob, 1))
    await follower.step()
    const before = position()
    expect(await follower.step(7.999)).toBe('behind')
    expect(position()).toEqual(before)
    expect(await follower.step(0.001)).toBe('moved')
  })

  test('one that tells another event of the same blocks confirms nothing, and takes its place', async () => {
    follower.emit(moves(alice, bob, 1))
    const hidden = follower.chain.logs[0] as ChainEvent
    follower.chain.hidden.add(hidden)
    await follower.step()
    follower.chain.hidden.clear()
    const { step } = position()
    expect(await follower.step(8)).toBe('behind')
    expect(position().step).toBe(step + 1)
    expect(follower.settling().answer).toMatchObject({
      readUpTo: latest(),
      events: { [contract]: [[hidden.block.number, expect.any(String)]] },
    })
    expect(await follower.step(8)).toBe('moved')
    expect(follower.item().events).toHaveLength(1)
  })

  test('one whose events are in blocks that are not those of their numbers confirms nothing', async () => {
    follower.emit(moves(alice, bob, 1))
    const { chainEvents } = follower.ports
    const block: ChainEvents['block'] = async (...query) => {
      const found = await chainEvents.block(...query)
      const isOfEvent = found?.number === follower.chain.logs[0]?.block.number
      return found && isOfEvent ? { ...found, hash: `0x${'f'.repeat(64)}` } : found
    }
    await follower.step()
    const behind = { chainEvents: { ...chainEvents, block } }
    expect(await follower.step(8, behind)).toBe('behind')
    expect(await follower.step(8)).toBe('moved')
  })

  test('an event settles, and every read is right meanwhile', async () => {
    follower.emit(moves(alice, bob, 1))
    await follower.step()
    await follower.step(8)
    await follower.step(8)
    for (let seconds = 0; seconds < 100; seconds += 5) {
      await follower.step()
      expect(await follower.held(bob)).toEqual({ 1: 1n })
    }
    expect(Object.fromEntries(follower.list(bob)?.tokens ?? [])).toEqual({ 1: 1n })
  })
})
