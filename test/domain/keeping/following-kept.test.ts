import { expect, test } from 'vitest'
import { IndexerUnavailable, ServiceUnavailable } from '../../../lib/domain/failures.ts'
import type { Snapshot } from '../../../lib/domain/holdings/kept-contract.ts'
import type { MetadataChange } from '../../../lib/domain/nft-events/nft-event.ts'
import type { ChainEvent, ChainEvents } from '../../../lib/domain/ports/chain-events.ts'
import { listAt } from '../../../simulation/kept-table.ts'
import { alice, bob, contract, other } from '../../support/follower/followed.ts'
import { followerOfTwo } from './kept-follower.ts'
import { id, moves, movesAmounts, movesRange, newMetadata } from './said-events.ts'

test('the follower takes over a prepared snapshot with one step, from which on it counts', async () => {
  const { table, item, held } = await followerOfTwo()
  const step = table.positions.get('POLYGON')?.step
  expect(step).toBe(3)
  expect(item()).toMatchObject({ snapshot: { id: 'snapshot', standard: 'ERC721', step: 3 } })
  expect(item()).not.toHaveProperty('prepared')
  expect(await held(alice)).toEqual({ 1: 1n })
  expect(await held(alice, other)).toEqual({ 1: 5n })
  expect(await held(bob)).toEqual({})
})

test('a snapshot counts from a step after that of its lists, also if the follower that takes it over knows an earlier one', async () => {
  const { table, write, prepare, step, item } = await followerOfTwo()
  prepare(contract, 'ERC721')
  write({ prepared: { ...(item().prepared as Snapshot), step: 9 } })
  await step()
  expect(table.positions.get('POLYGON')?.step).toBe(4)
  expect(item().snapshot?.step).toBe(10)
})

test('a snapshot is taken over from its block on, with the events that have settled since', async () => {
  const { kept, write, emit, settle, step, item, held } = await followerOfTwo()
  const block = emit(moves(alice, bob, 1))
  await settle()
  const settledUpTo = block - 1
  const next = { address: contract, id: 'next' }
  kept.lists.set(listAt(next, alice), { settledUpTo, tokens: new Map([[id(1), 1n]]) })
  write({ prepared: { ...(item().snapshot as Snapshot), id: next.id, since: settledUpTo } })
  await step()
  expect(item()).toMatchObject({ settledUpTo, snapshot: { id: 'next' }, events: [{ block }] })
  expect([await held(alice), await held(bob)]).toEqual([{}, { 1: 1n }])
})

test('a read has an event with the step that reads it, and the same after it has settled', async () => {
  const { emit, step, settle, list, item, held } = await followerOfTwo()
  emit(moves(alice, bob, 1))
  emit(movesRange(null, alice, [7, 8]))
  emit(movesAmounts(alice, bob, [1, 2], [1, 1]), other)
  const expectHeld = async () => {
    expect(await held(alice)).toEqual({ 7: 1n, 8: 1n })
    expect(await held(bob)).toEqual({ 1: 1n })
    expect(await held(alice, other)).toEqual({ 1: 2n })
    expect(await held(bob, other)).toEqual({ 1: 3n })
  }
  await step()
  await expectHeld()
  expect(list(alice)).toMatchObject({ settledUpTo: 0 })
  await settle()
  await expectHeld()
  expect(Object.fromEntries(list(bob)?.tokens ?? [])).toEqual({ 1: 1n })
  expect(item()).toMatchObject({ settledUpTo: list(alice)?.settledUpTo })
})

test('an event settles with the second step after its block is declared, and not before', async () => {
  const { emit, stepUntil, settling, list, item } = await followerOfTwo()
  const block = emit(moves(alice, bob, 1))
  const declared: number[] = []
  await stepUntil(() => {
    if (!list(bob)) declared.push(settling().declared.number)
    return list(bob) !== undefined
  })
  expect(declared.at(-1)).toBeGreaterThanOrEqual(block)
  expect(declared.at(-2)).toBeLessThan(block)
  expect(list(bob)?.settledUpTo).toBe(declared.at(-1))
  expect(item().settledUpTo).toBe(declared.at(-1))
})

test('an event that is told late settles with the poll after the one whose item has it', async () => {
  const { chain, emit, step, stepUntil, settling, list, item } = await followerOfTwo()
  const block = emit(moves(alice, bob, 1))
  chain.hidden.add(chain.logs[0] as ChainEvent)
  await stepUntil(() => settling().declared.number >= block)
  chain.hidden.clear()
  await step()
  expect([item().events, list(bob)]).toMatchObject([[{ block }], undefined])
  await step()
  expect(list(bob)).toBeDefined()
})

test('an item has the events of its last settling, and drops them with the next one', async () => {
  const { emit, settle, item } = await followerOfTwo()
  const blocks = () => item().events.map(({ block }) => block)
  const first = emit(moves(alice, bob, 1))
  await settle()
  expect(item().settledUpTo).toBeGreaterThan(first)
  expect(blocks()).toEqual([first])
  const second = emit(moves(bob, alice, 1))
  await settle()
  expect(item().settledUpTo).toBeGreaterThan(second)
  expect(blocks()).toEqual([second])
})

test('an item keeps the events of the settling before, if that was less than ten seconds ago', async () => {
  const { emit, step, stepUntil, item } = await followerOfTwo()
  const first = emit(moves(alice, bob, 1))
  await step()
  await step()
  const second = emit(moves(bob, alice, 1))
  await stepUntil(() => item().settledUpTo >= first)
  expect(item().settledUpTo).toBeLessThan(second)
  const settledAt = item().settledAt
  await stepUntil(() => item().settledUpTo >= second, 2)
  expect(item().settledAt - settledAt).toBeLessThan(10_000)
  expect(item().events.map(({ block }) => block)).toEqual([first, second])
})

test('new metadata (ERC-4906) is in the item with a time that is not before its own, written once, and in no list', async () => {
  const { emit, settle, step, item, changes } = await followerOfTwo()
  const before = item()
  const block = emit(newMetadata)
  await step()
  const { fromTokenId, toTokenId } = newMetadata.content as MetadataChange
  const [change, ...others] = item().changed ?? []
  expect([change, others]).toEqual([{ fromTokenId, toTokenId, at: expect.any(Number) }, []])
  expect(change?.at).toBeGreaterThanOrEqual(block * 2_000)
  expect(change?.at).toBeLessThan(block * 2_000 + 5_000)
  await settle()
  expect(item()).toEqual({
    ...before,
    version: before.version + 1,
    readUpTo: expect.any(Number),
    changed: [change],
  })
  expect(changes).toEqual([])
})

test('settled events of a contract are logged while a snapshot is wanted', async () => {
  const { kept, write, emit, settle, item } = await followerOfTwo()
  write({ log: { standard: 'ERC721' } })
  const block = emit(moves(alice, bob, 1))
  emit(movesAmounts(alice, bob, [1, 1]), other)
  await settle()
  expect([...kept.log.keys()]).toEqual([`${contract} ${block} 0`])
  expect(item().log?.since?.number).toBeLessThan(block)
})

test('a step asks for the block of the last event that a call settles, for no other, and settles nothing with another hash', async () => {
  const { emit, sleep, stepUntil, step, settling, ports, list } = await followerOfTwo('ERC721')
  const first = emit(moves(alice, bob, 1))
  emit(moves(alice, bob, 1), other)
  await sleep(2_000)
  const last = emit(moves(bob, null, 1), other)
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

test('a failure that the table does not say is not taken for a throttle', async () => {
  const { ports, emit, stepUntil } = await followerOfTwo()
  const change = () => Promise.reject(new RangeError('a defect'))
  const use = { keptContracts: { ...ports.keptContracts, change } }
  emit(moves(alice, bob, 1))
  await expect(stepUntil(() => false, 5, use)).rejects.toThrow('a defect')
})

test('a delayed contract is read by a call of its own from its oldest unsettled event on', async () => {
  const { chain, throttled, emit, step, settle, settling, list } = await followerOfTwo()
  throttled.add(contract)
  const block = emit(moves(alice, bob, 1))
  await settle()
  await step(300)
  chain.queries = []
  const before = settling()
  throttled.clear()
  await step()
  const to = chain.queries[0]?.to
  expect(chain.queries).toEqual([
    { contracts: 1, from: before.declaredBefore.number + 1, to },
    { contracts: 1, from: block, to },
  ])
  expect(list(bob)).toMatchObject({ settledUpTo: before.declared.number })
  chain.queries = []
  await step()
  expect(chain.queries).toMatchObject([{ contracts: 2 }])
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
