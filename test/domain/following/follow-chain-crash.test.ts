import { describe, expect, test } from 'vitest'
import {
  beforeEachCall,
  contract,
  type followedChain,
  followedForAMinute,
  Killed,
  other,
} from '../../support/follower/followed.ts'
import { emitTransfers } from '../../support/follower/watched.ts'

type Followed = ReturnType<typeof followedChain>

/** Two minutes in which contracts are watched and their watch ends, while NFTs move. */
async function eventfulMinute(
  interrupt: (call: string, number: number, followed: Followed) => Promise<void>,
) {
  const followed = await followedForAMinute()
  const { chain, notes, watch, sleep, follow, holes } = followed
  watch(other, 12_000)
  let number = 0
  const found: string[] = []
  const before = async (call: string) => {
    found.push(...holes())
    number += 1
    await interrupt(call, number, followed)
  }
  emitTransfers(chain, contract)
  emitTransfers(chain, other)
  const use = {
    chainEvents: beforeEachCall(chain, before),
    followNotes: beforeEachCall(notes, before),
  }
  await follow(20, use).catch((error) => {
    if (!(error instanceof Killed)) throw error
  })
  emitTransfers(chain, contract)
  await sleep(41_000)
  await follow(20)
  watch(other)
  emitTransfers(chain, other)
  await follow(20)
  found.push(...holes())
  await follow(80)
  found.push(...holes())
  return { ...followed, found, calls: number }
}

describe('D117: complete logs, or missed blocks', async () => {
  const { calls, found } = await eventfulMinute(async () => undefined)
  const moments = Array.from({ length: calls }, (_, index) => index + 1)

  test('a minute has many moments', () => {
    expect([calls > 20, found]).toEqual([true, []])
  })

  test.each(moments)('when the follower dies before its call %i', async (moment) => {
    const { found, logged } = await eventfulMinute(async (_, number) => {
      if (number >= moment) throw new Killed()
    })
    expect(found).toEqual([])
    const kinds = logged(contract).map(({ content }) => content.kind)
    expect(kinds).toEqual(['missed', 'transfer', 'transfer'])
  })

  test.each(moments)('when another follower takes its place during its call %i', async (moment) => {
    const second = async ({ chain, watch, sleep, follow }: Followed) => {
      emitTransfers(chain, contract)
      await sleep(50_000)
      await follow(11)
      watch(other)
      await follow(11)
      emitTransfers(chain, other)
      await sleep(70_000)
      await follow(6)
    }
    const { found } = await eventfulMinute(async (_, number, followed) => {
      if (number === moment) await second(followed)
    })
    expect(found).toEqual([])
  })
})
