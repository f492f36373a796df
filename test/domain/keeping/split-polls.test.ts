import { beforeEach, describe, expect, test } from 'vitest'
import { newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import { understoodEvents } from '../../../lib/domain/holdings/kept-event.ts'
import { clarityOf } from '../../../lib/domain/keeping/split-answers.ts'
import type { ChainEvent, ChainEvents } from '../../../lib/domain/ports/chain-events.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { alice, bob, contract, other } from '../../support/follower/followed.ts'
import { followerOfTwo } from './kept-follower.ts'
import { blockHash, inOneBlock, moves } from './said-events.ts'

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
      answeredAt: follower.now(),
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
    expect(await follower.step(13)).toBe('moved')
    expect(follower.item()).toMatchObject({ readUpTo, events: [{ block: first }] })
    expect(follower.settling().answer?.readUpTo).toBe(latest())
    expect(await follower.step(13)).toBe('moved')
    expect(follower.item().events).toHaveLength(2)
  })

  test('one less than thirteen seconds later confirms nothing, and is compared with nothing', async () => {
    follower.emit(moves(alice, bob, 1))
    await follower.step()
    const before = position()
    expect(await follower.step(12.999)).toBe('behind')
    expect(position()).toEqual(before)
    expect(await follower.step(0.001)).toBe('moved')
  })

  test('the time between two is that from the last answer of the first to the question of the second', async () => {
    const { chain, sleep, now } = follower
    const { events } = chain
    chain.events = async (...query) => {
      const found = await events(...query)
      await sleep(1_000)
      return found
    }
    const askedAt = now() + 5_000
    await follower.step()
    const { answeredAt } = follower.settling().answer ?? {}
    expect(answeredAt).toBe(now())
    expect(now()).toBeGreaterThan(askedAt + 1_000)
    expect(await follower.step(12.999)).toBe('behind')
    expect(follower.settling().answer).toMatchObject({ answeredAt })
    expect(await follower.step(0)).toBe('moved')
  })

  test('a contract of which nothing is kept yet waits for the next one, and delays no other', async () => {
    const { kept, emit, step, item } = follower
    emit(moves(alice, bob, 1))
    await step()
    const third = addressOf(0xc3)
    kept.contracts.set(third, newKeptContract(third))
    const block = emit(moves(null, alice, 1), third)
    expect(await step(13)).toBe('moved')
    expect(item().events).toHaveLength(1)
    expect(item(third)).toEqual(newKeptContract(third))
    expect(await step(13)).toBe('moved')
    expect(item(third).events).toMatchObject([{ block }])
  })

  test('one with more than 4,000 events is not noted', async () => {
    const block = { number: 90, hash: blockHash, at: 0 }
    const clarity = (count: number) => {
      const said = Array.from({ length: count }, (_, index) => moves(null, bob, index))
      const events = new Map([[contract, understoodEvents(inOneBlock(...said), 'ERC721')]])
      const contracts = [contract]
      const calls = [
        { contracts, from: 91, to: 105 },
        { contracts, from: 106, to: 110 },
      ]
      return clarityOf(
        [{ contract: newKeptContract(contract), after: 90 }],
        { events, calls, askedAt: 0, answeredAt: 0 },
        {
          to: 110,
          settling: { declared: block, declaredBefore: block },
          blockAt: async () => undefined,
        },
      )
    }
    expect((await clarity(4_000)).answer?.events[contract]).toHaveLength(4_000)
    expect(await clarity(4_001)).toEqual({ isClear: false, answer: undefined })
  })

  test('one that tells another event of the same blocks confirms nothing, and takes its place', async () => {
    follower.emit(moves(alice, bob, 1))
    const hidden = follower.chain.logs[0] as ChainEvent
    follower.chain.hidden.add(hidden)
    await follower.step()
    follower.chain.hidden.clear()
    const { step } = position()
    expect(await follower.step(13)).toBe('behind')
    expect(position().step).toBe(step + 1)
    expect(follower.settling().answer).toMatchObject({
      readUpTo: latest(),
      events: { [contract]: [[hidden.block.number, expect.any(String)]] },
    })
    expect(await follower.step(13)).toBe('moved')
    expect(follower.item().events).toHaveLength(1)
  })

  test('one that tells fewer events of the same blocks confirms nothing', async () => {
    follower.emit(moves(alice, bob, 1))
    await follower.step()
    follower.chain.hidden.add(follower.chain.logs[0] as ChainEvent)
    expect(await follower.step(13)).toBe('behind')
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
    expect(await follower.step(13, behind)).toBe('behind')
    expect(await follower.step(13)).toBe('moved')
  })
})
