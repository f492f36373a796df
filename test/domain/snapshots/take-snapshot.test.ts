import { describe, expect, test } from 'vitest'
import { newKeptContract, settledBlock } from '../../../lib/domain/holdings/kept-contract.ts'
import { alice, bob, contract } from '../../support/follower/followed.ts'
import { id, moves } from '../keeping/said-events.ts'
import {
  begunWorker,
  carol,
  look,
  settling,
  snapshotWorker,
  sumOfThree,
} from './snapshot-worker.ts'

describe('before a snapshot is taken', () => {
  test('the follower logs the settled events of the contract', async () => {
    const { kept, step, work, item, attempt, indexer } = snapshotWorker('ERC721')
    kept.contracts.set(contract, newKeptContract(contract))
    await step()
    expect(await work()).toEqual({ outcome: 'waiting', pause: settling })
    expect(item().log).toEqual({ standard: 'ERC721' })
    expect(await work()).toEqual({ outcome: 'waiting', pause: look })
    expect([attempt(), indexer.pages]).toEqual([undefined, []])
    await step()
    await work()
    expect(indexer.pages).toEqual([alice, bob, carol])
  })

  test('the indexer is at most the settling time behind', async () => {
    const { work, attempt, indexer } = await begunWorker('ERC721')
    indexer.behind = settling + 1
    expect(await work()).toEqual({ outcome: 'waiting', pause: look })
    expect([attempt(), indexer.pages]).toEqual([undefined, []])
    indexer.behind = settling
    await work()
    expect(indexer.pages).toEqual([alice, bob, carol])
  })

  test('the log has everything that the indexer can be behind, which is not asked before', async () => {
    const { work, item, indexer, now, kept } = await begunWorker('ERC721')
    const since = { number: Math.floor(now() / 2_000), at: now() - settling + 1 }
    kept.contracts.set(contract, { ...item(), log: { standard: 'ERC721', since } })
    expect(await work()).toEqual({ outcome: 'waiting', pause: look })
    expect([indexer.askedAt, indexer.pages]).toEqual([[], []])
  })

  test('nothing is done for a contract that is not kept, or whose lists the follower takes over', async () => {
    const { work, kept, prepare } = snapshotWorker('ERC721')
    expect(await work()).toEqual({ outcome: 'nothing' })
    kept.contracts.set(contract, newKeptContract(contract))
    prepare(contract, 'ERC721')
    expect(await work()).toEqual({ outcome: 'nothing' })
  })
})

describe('a snapshot', () => {
  test('is what two passes agree on, the second one after everything of the first has settled', async () => {
    const worker = await begunWorker('ERC721')
    const { work, workUntil, finish, attempt, indexer, now, table, item, expectHeld } = worker
    const position = worker.settling
    await work()
    const readBy = now()
    expect(attempt()).toMatchObject({
      takenUntil: 0,
      first: { id: '1', readBy, sum: sumOfThree() },
    })
    await workUntil(() => attempt()?.second !== undefined)
    expect(position().declaredBefore.at).toBeGreaterThanOrEqual(readBy)
    expect(position().declaredBefore.at).toBeLessThan(readBy + 10_000)
    expect(await finish()).toEqual({ outcome: 'prepared' })
    expect(indexer.pages).toEqual([alice, bob, carol, alice, bob, carol])
    expect(attempt()).toBeUndefined()
    expect(item().prepared).toEqual({
      ...{ id: '2', standard: 'ERC721' },
      step: table.positions.get('POLYGON')?.step,
      since: settledBlock(position(), item()),
      at: position().declaredBefore.at,
    })
    expect(await expectHeld()).toEqual([{ 1: 1n }, { 2: 1n }, { 3: 1n }])
  })

  test('has the step of the position that is there after its lists were corrected', async () => {
    const { work, step, finish, emit, table, item } = await begunWorker('ERC721')
    await work()
    emit(moves(alice, bob, 1))
    const steps: (number | undefined)[] = []
    const stepOf = () => table.positions.get('POLYGON')?.step
    await finish(async (call) => {
      if (call !== 'kept list') return
      steps.push(stepOf())
      await step()
    })
    expect(stepOf()).toBeGreaterThan(steps[0] ?? Number.POSITIVE_INFINITY)
    expect(item().prepared?.step).toBe(stepOf())
  })

  test('does not ask the indexer for its block before it can have indexed what the first pass has read', async () => {
    const milliseconds = 120_000
    const { workUntil, attempt, indexer } = await begunWorker('ERC721', { milliseconds })
    await workUntil(() => attempt()?.first.readBy !== undefined)
    const readBy = attempt()?.first.readBy ?? 0
    indexer.askedAt = []
    await workUntil(() => attempt()?.second !== undefined)
    expect(indexer.askedAt).toEqual([readBy + milliseconds])
  })

  test('has no second pass before the indexer states a block that is the settling time after the first one', async () => {
    const { workUntil, attempt, indexer, now } = await begunWorker('ERC721')
    await workUntil(() => attempt()?.first.readBy !== undefined)
    const begins = (attempt()?.first.readBy ?? 0) + settling
    // More than the indexer is behind when what the first pass has read has settled.
    indexer.behind = 60_000
    await workUntil(() => attempt()?.second !== undefined)
    expect(now() - indexer.behind).toBeGreaterThanOrEqual(begins)
    expect(now() - indexer.behind).toBeLessThan(begins + 5_000)
  })

  test('has the events of the last block that has settled, with which it is handed over', async () => {
    const { work, emit, step, expectHeld, item } = await begunWorker('ERC721')
    const blocks: number[] = []
    while (!item().prepared && blocks.length < 200) {
      // An event in each block.
      blocks.push(emit(moves(null, alice, 10 + blocks.length)))
      await step(2)
      await work()
    }
    expect(blocks).toContain(item().prepared?.since)
    await expectHeld()
  })

  test('is not prevented by a wallet with more NFTs than a list has, which moves one between the passes', async () => {
    const ofBob = Array.from({ length: 10_002 }, (_, index) => id(index + 10))
    const { work, emit, finish, step, held, indexer } = await begunWorker('ERC721', { ofBob })
    await work()
    emit(moves(bob, carol, 10))
    expect(await finish()).toEqual({ outcome: 'prepared' })
    expect(indexer.pages).toHaveLength(6)
    await step()
    expect(await held(alice)).toEqual({ 1: 1n })
    expect(await held(carol)).toEqual({ 3: 1n, 10: 1n })
    // The indexer is asked for it.
    expect(await held(bob)).toBeUndefined()
  })
})

describe('a snapshot is begun anew, with lists of new identifiers', () => {
  test('if the passes differ in what no event has touched', async () => {
    const { work, finish, attempt, item, indexer, expectHeld } = await begunWorker('ERC721')
    await work()
    indexer.tamper = (owned) => owned.filter(({ owner }) => owner !== bob)
    expect(await finish()).toEqual({ outcome: 'anew', pause: look })
    expect(attempt()).toBeUndefined()
    expect(item()).not.toHaveProperty('prepared')
    indexer.tamper = (owned) => owned
    expect(await finish()).toEqual({ outcome: 'prepared' })
    expect(item().prepared?.id).toBe('4')
    expect(await expectHeld()).toEqual([{ 1: 1n }, { 2: 1n }, { 3: 1n }])
  })

  test('if the passes differ in an amount that no event has touched', async () => {
    const { work, finish, indexer } = await begunWorker('ERC1155')
    await work()
    indexer.tamper = (owned) => owned.map((each) => ({ ...each, amount: each.amount + 1n }))
    expect(await finish()).toEqual({ outcome: 'anew', pause: look })
  })

  test('if it is older than a day', async () => {
    const { work, sleep, attempt } = await begunWorker('ERC721')
    await work()
    await sleep(86_400_000)
    await work()
    expect(attempt()).toMatchObject({ first: { id: '1' } })
    await sleep(1)
    expect(await work()).toEqual({ outcome: 'waiting', pause: look })
    expect(attempt()).toBeUndefined()
  })

  test('if the log has begun anew while the lists were corrected', async () => {
    const { work, step, finish, emit, item } = await begunWorker('ERC721')
    await work()
    emit(moves(alice, bob, 1))
    let isOver = false
    const progress = await finish(async (call) => {
      if (call !== 'kept list' || isOver) return
      isOver = true
      await step(3 * 3_600)
    })
    expect(progress).toEqual({ outcome: 'anew', pause: look })
    expect(item()).not.toHaveProperty('prepared')
  })

  test('if the log has begun anew since the indexer was asked', async () => {
    const worker = await begunWorker('ERC721')
    const { work, step, finish, item, indexer, expectHeld } = worker
    await work()
    await step(3 * 3_600)
    expect(item().log?.since?.number).toBeGreaterThan(worker.settling().declared.number)
    expect(await finish()).toEqual({ outcome: 'prepared' })
    expect(indexer.pages).toHaveLength(9)
    expect(['1', '2']).not.toContain(item().prepared?.id)
    expect(await expectHeld()).toEqual([{ 1: 1n }, { 2: 1n }, { 3: 1n }])
  })
})
