import { expect, test } from 'vitest'
import type { ChainEvents } from '../../../lib/domain/ports/chain-events.ts'
import { alice, bob, other } from '../../support/follower/followed.ts'
import { followerOfTwo } from './kept-follower.ts'
import { moves } from './said-events.ts'

test('a step asks for the block of the last event that a call settles, for no other, and settles nothing with another hash', async () => {
  const { emit, sleep, stepUntil, step, settling, ports, list } = await followerOfTwo('ERC721')
  const first = emit(moves(alice, bob, 1))
  await sleep(2_000)
  const last = emit(moves(alice, bob, 1), other)
  expect(last).toBe(first + 1)
  await stepUntil(() => settling().declared.number >= last)
  let asked: number[] = []
  let isOther = true
  const block: ChainEvents['block'] = async (chain, number, deadline) => {
    if (number === first || number === last) asked.push(number)
    const found = await ports.chainEvents.block(chain, number, deadline)
    return found && number === last && isOther ? { ...found, hash: `0x${'f'.repeat(64)}` } : found
  }
  const use = { chainEvents: { ...ports.chainEvents, block } }
  const settled = () => [list(bob), list(bob, other)].map((each) => each !== undefined)
  await step(5, use)
  expect([asked, settled()]).toEqual([[last], [false, false]])
  asked = []
  isOther = false
  await step(5, use)
  expect([asked, settled()]).toEqual([[last], [true, true]])
})
