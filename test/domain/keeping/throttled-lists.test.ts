import { expect, test } from 'vitest'
import { IndexerUnavailable, ServiceUnavailable } from '../../../lib/domain/failures.ts'
import { alice, bob, contract, other } from '../../support/follower/followed.ts'
import { followerOfTwo } from './kept-follower.ts'
import { moves, movesAmounts } from './said-events.ts'

test('a throttled list delays its contract, and neither the chain nor another contract', async () => {
  const { table, throttled, emit, step, settle, list, item } = await followerOfTwo()
  throttled.add(contract)
  const { settledUpTo } = item()
  const block = emit(moves(alice, bob, 1))
  emit(movesAmounts(alice, bob, [1, 2]), other)
  await settle()
  expect(await step()).toBe('moved')
  expect(table.positions.get('POLYGON')?.step).toBe(20)
  expect(item()).toMatchObject({ settledUpTo, events: [{ block }] })
  expect(list(bob)).toBeUndefined()
  expect(item(other).settledUpTo).toBeGreaterThan(block)
  expect(Object.fromEntries(list(bob, other)?.tokens ?? [])).toEqual({ 1: 2n })
})

test('a delayed contract is read by a call of its own from its oldest unsettled event on', async () => {
  const { chain, throttled, emit, step, settle, settling, list } = await followerOfTwo()
  throttled.add(contract)
  const block = emit(moves(alice, bob, 1))
  await settle()
  await step(300)
  chain.asked = []
  const before = settling()
  throttled.clear()
  await step()
  const to = chain.asked[0]?.to
  expect(chain.asked).toEqual([
    { contracts: 1, from: before.declaredBefore.number + 1, to },
    { contracts: 1, from: block, to },
  ])
  expect(list(bob)).toMatchObject({ settledUpTo: before.declared.number })
  chain.asked = []
  await step()
  expect(chain.asked).toMatchObject([{ contracts: 2 }])
})

test('a delayed contract whose blocks take more calls than fit a step ends its snapshot, and delays neither the chain nor another contract', async () => {
  const { chain, throttled, emit, step, stepUntil, settle, item, held, sleep, now } =
    await followerOfTwo()
  throttled.add(contract)
  emit(moves(alice, bob, 1))
  for (let count = 0; count < 4; count += 1) await settle()
  chain.maxBlocks = 10
  const { events } = chain
  chain.events = async (query, deadline) => {
    if (now() > deadline) throw new IndexerUnavailable('out of time')
    await sleep(400)
    return await events(query, deadline)
  }
  await stepUntil(() => item().ended !== undefined, 13)
  expect(item()).toMatchObject({ snapshot: undefined, ended: { reason: 'gap' } })
  emit(movesAmounts(alice, bob, [1, 2]), other)
  await step(13)
  await step(13)
  expect(await held(bob, other)).toEqual({ 1: 2n })
})

test('what one list has already is not settled in it again, when another list was throttled', async () => {
  const { ports, emit, step, stepUntil, list, changes, held } = await followerOfTwo()
  const { keptContracts } = ports
  const change: typeof keptContracts.change = async (snapshot, wallet, ...rest) => {
    if (wallet === bob) throw new ServiceUnavailable('throttled')
    return keptContracts.change(snapshot, wallet, ...rest)
  }
  emit(movesAmounts(alice, bob, [1, 2]), other)
  await stepUntil(() => changes.length > 1, 5, { keptContracts: { ...keptContracts, change } })
  expect(changes.map(({ wallet }) => wallet)).toEqual([alice, alice])
  expect(changes[0]?.change.balances).toEqual(new Map([['1', 3n]]))
  expect(changes[1]?.change.balances).toEqual(new Map())
  await step()
  expect(list(alice, other)?.tokens).toEqual(new Map([['1', 3n]]))
  expect(list(bob, other)?.tokens).toEqual(new Map([['1', 2n]]))
  expect(await held(alice, other)).toEqual({ 1: 3n })
  expect(await held(bob, other)).toEqual({ 1: 2n })
})
