import { describe, expect, test } from 'vitest'
import {
  alice,
  beforeEachCall,
  bob,
  contract,
  type followedChain,
  followedForAMinute,
  Killed,
  other,
} from '../../support/follower/followed.ts'

type Followed = ReturnType<typeof followedChain>

/** A minute in which contracts are followed, suspended and ended while NFTs move. */
async function eventfulMinute(
  interrupt: (call: string, number: number, followed: Followed) => Promise<void>,
) {
  const followed = await followedForAMinute()
  const { chain, notes, ask, sleep, follow, holes } = followed
  ask(other, 12_000)
  let number = 0
  const found: string[] = []
  const before = async (call: string) => {
    found.push(...holes())
    number += 1
    await interrupt(call, number, followed)
  }
  chain.emit({ contract, wallets: [alice] })
  chain.emit({ contract: other, wallets: [bob] })
  const use = {
    chainEvents: beforeEachCall(chain, before),
    followNotes: beforeEachCall(notes, before),
  }
  await follow(20, use).catch((error) => {
    if (!(error instanceof Killed)) throw error
  })
  chain.emit({ contract, wallets: [bob] })
  await sleep(41_000)
  await follow(20)
  ask(other)
  chain.emit({ contract: other, wallets: [alice] })
  await follow(20)
  found.push(...holes())
  return { ...followed, found, calls: number }
}

describe('D66: complete notes, or "not read up to"', async () => {
  const { calls, found } = await eventfulMinute(async () => undefined)
  const moments = Array.from({ length: calls }, (_, index) => index + 1)

  test('a minute has many moments', () => {
    expect([calls > 20, found]).toEqual([true, []])
  })

  test.each(moments)('when the follower dies before its call %i', async (moment) => {
    const { table, ...end } = await eventfulMinute(async (_, number) => {
      if (number >= moment) throw new Killed()
    })
    expect(end.found).toEqual([])
    expect(table.moved.size).toBe(4)
  })

  test.each(moments)('when another follower takes its place during its call %i', async (moment) => {
    const second = async ({ chain, ask, sleep, follow }: Followed) => {
      chain.emit({ contract, wallets: [alice] })
      await sleep(50_000)
      await follow(11)
      ask(other)
      await follow(11)
      chain.emit({ contract: other, wallets: [alice] })
      await sleep(70_000)
      await follow(6)
    }
    const { found } = await eventfulMinute(async (_, number, followed) => {
      if (number === moment) await second(followed)
    })
    expect(found).toEqual([])
  })
})
