import { describe, expect, test } from 'vitest'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import type { ChainEvent } from '../../../lib/domain/ports/chain-events.ts'
import { contractAt } from '../../../simulation/followed-table.ts'
import { alice, bob, contract } from '../../support/follower/followed.ts'
import { Killed } from '../../support/memory/interruptions.ts'
import { followerOfTwo } from '../keeping/kept-follower.ts'
import { moves, movesAmounts, movesRange } from '../keeping/said-events.ts'
import { begunWorker, carol, look, sumOfThree } from './snapshot-worker.ts'

describe('the worker that takes a snapshot', () => {
  test('asks an ERC-721 contract who owns what events have touched, at the settled block, and believes it', async () => {
    const { work, step, finish, emit, expectHeld, queries, chain, ports, item, now } =
      await begunWorker('ERC721')
    emit(moves(alice, bob, 1))
    emit(moves(bob, carol, 1))
    // The log does not have the last event.
    chain.hidden.add(chain.logs.at(-1) as ChainEvent)
    await step()
    await work()
    emit(moves(carol, null, 3))
    expect(await finish()).toEqual({ outcome: 'prepared' })
    const { since = 0 } = item().prepared ?? {}
    const block = await ports.chainEvents.block('POLYGON', since, now())
    expect(queries.balances).toEqual([])
    expect(queries.owners).toMatchObject([
      { block, contract: { chain: 'POLYGON', address: contract }, tokenIds: ['1', '3'] },
    ])
    expect(await expectHeld()).toEqual([{}, { 2: 1n }, { 1: 1n }])
  })

  test('asks an ERC-1155 contract for the balances that events have touched, at the settled block', async () => {
    const worker = await begunWorker('ERC1155')
    const { work, finish, emit, expectHeld, queries, ports, now } = worker
    emit(movesAmounts(alice, bob, [1, 2], [1, 1]))
    await work()
    emit(movesAmounts(null, carol, [7, 2n ** 255n]))
    await finish()
    const { number } = worker.settling().declaredBefore
    const block = await ports.chainEvents.block('POLYGON', number, now())
    expect(queries.owners).toEqual([])
    expect(queries.balances).toMatchObject([
      {
        block,
        contract: { chain: 'POLYGON', address: contract },
        pairs: [
          { wallet: alice, tokenId: '1' },
          { wallet: bob, tokenId: '1' },
          { wallet: carol, tokenId: '7' },
        ],
      },
    ])
    expect(await expectHeld()).toEqual([...[{ 1: 2n }, { 1: 3n, 2: 5n }, { 3: 5n, 7: 2n ** 255n }]])
  })

  test.each(['ERC721', 'ERC1155'] as const)('asks a hundred of %s in a call', async (standard) => {
    const { finish, emit, queries, expectHeld } = await begunWorker(standard)
    for (let tokenId = 10; tokenId < 160; tokenId += 1)
      emit(
        standard === 'ERC721' ? moves(null, bob, tokenId) : movesAmounts(null, bob, [tokenId, 1]),
      )
    await finish()
    const sizes = [
      ...queries.owners.map(({ tokenIds }) => tokenIds.length),
      ...queries.balances.map(({ pairs }) => pairs.length),
    ]
    expect(sizes).toEqual([100, 50])
    await expectHeld()
  })
})

/** Takes a snapshot amid events, and kills the worker before its call of this number. */
async function takenWithKill(number: number) {
  const worker = await begunWorker('ERC1155')
  const { step, work, finish, emit } = worker
  let calls = 0
  let isKilled = false
  const turn = async () => {
    calls += 1
    if (calls !== number) return
    isKilled = true
    throw new Killed()
  }
  const killable = (progress: Promise<{ outcome: string }>) =>
    progress.catch((error) => {
      if (!(error instanceof Killed)) throw error
      return { outcome: 'killed' }
    })
  emit(movesAmounts(alice, bob, [1, 2]))
  await killable(work(turn))
  emit(movesAmounts(bob, carol, [2, 5]))
  await step()
  let { outcome } = await killable(finish(turn))
  emit(movesAmounts(carol, null, [3, 1]))
  for (let count = 0; count < 3 && !['prepared', 'nothing'].includes(outcome); count += 1) {
    outcome = (await killable(finish(turn))).outcome
  }
  const held = await worker.expectHeld(`killed before call ${number}`)
  return { outcome, isKilled, calls, held, item: worker.item() }
}

test('a worker that is killed before any of its calls leaves nothing wrong, and a repeat finishes', async () => {
  const { calls, ...whole } = await takenWithKill(Number.POSITIVE_INFINITY)
  const held = [{ 1: 3n }, { 1: 2n }, { 2: 5n, 3: 4n }]
  expect(whole).toMatchObject({ outcome: 'prepared', isKilled: false, held })
  for (let number = 1; number <= calls; number += 1) {
    const { outcome, isKilled, item } = await takenWithKill(number)
    expect(isKilled).toBe(true)
    expect(['prepared', 'nothing']).toContain(outcome)
    expect(item.snapshot, `killed before call ${number}`).toBeDefined()
  }
})

test('a list that another process has corrected meanwhile is not handed over as if it were corrected', async () => {
  const { work, workUntil, step, emit, attempt, sleep, expectHeld, finish } =
    await begunWorker('ERC721')
  await workUntil(() => attempt()?.second?.readBy !== undefined)
  emit(moves(alice, bob, 1))
  const { promise: asleep, resolve: wake } = Promise.withResolvers<void>()
  const { promise: isAmid, resolve: reach } = Promise.withResolvers<void>()
  let lists = 0
  /** Its write for alice waits, and it is killed before that for bob. */
  const slow = async (call: string) => {
    if (call !== 'kept list') return
    lists += 1
    if (lists > 1) {
      reach()
      throw new Killed()
    }
    await asleep
  }
  const killed = expect(workUntil(() => false, slow)).rejects.toThrow(Killed)
  await isAmid
  emit(moves(bob, alice, 1))
  for (let seconds = 0; seconds < 90; seconds += 5) await step()
  await sleep(60_000)
  const second = async (call: string) => {
    if (call !== 'kept list') return
    wake()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await step()
  expect(await work(second)).toEqual({ outcome: 'anew', pause: look })
  await killed
  expect(await finish()).toEqual({ outcome: 'prepared' })
  expect(await expectHeld()).toEqual([{ 1: 1n }, { 2: 1n }, { 3: 1n }])
})

describe('a process at work', () => {
  test('keeps others from the attempt for a minute, also when it is killed', async () => {
    const { work, sleep, attempt, indexer } = await begunWorker('ERC721')
    const killed = work(async (call) => {
      if (call === 'page' && indexer.pages.length === 1) throw new Killed()
    })
    await expect(killed).rejects.toThrow(Killed)
    expect(await work()).toEqual({ outcome: 'waiting', pause: look })
    expect(indexer.pages).toEqual([alice])
    await sleep(59_999)
    expect(await work()).toEqual({ outcome: 'waiting', pause: look })
    expect(indexer.pages).toEqual([alice])
    await sleep(1)
    await work()
    expect(indexer.pages).toEqual([alice, bob, carol])
    expect(attempt()).toMatchObject({ takenUntil: 0, first: { sum: sumOfThree() } })
  })

  test('is the only one of two that begin at once', async () => {
    const { work, finish, indexer, expectHeld } = await begunWorker('ERC721')
    await Promise.all([work(), work()])
    expect(indexer.pages).toEqual([alice, bob, carol])
    expect(await finish()).toEqual({ outcome: 'prepared' })
    expect(await expectHeld()).toEqual([{ 1: 1n }, { 2: 1n }, { 3: 1n }])
  })
})

// Each case was found by reading the code, and failed before it was mended.

test('a suspension that is noted of a watched contract ends its snapshot, also if the step then fails', async () => {
  const { table, emit, step, held, ports, item } = await followerOfTwo()
  table.contracts.set(contractAt('POLYGON', contract), {
    ...{ address: contract, watchedUntil: Number.MAX_SAFE_INTEGER },
  })
  await step()
  for (let tokenId = 1; tokenId < 999; tokenId += 1) emit(moves(alice, bob, tokenId))
  const write = async () => {
    throw new ServiceUnavailable('throttled')
  }
  const keptContracts = { ...ports.keptContracts, write }
  await expect(step(5, { keptContracts })).rejects.toThrow(ServiceUnavailable)
  await step()
  await step()
  expect(item().snapshot).toBeUndefined()
  expect(await held(alice)).toBeUndefined()
})

test('a range of more than 100,000 NFTs in the log is not read again with each attempt', async () => {
  const { emit, finish } = await begunWorker('ERC721')
  emit(movesRange(null, bob, [10, 100_010]))
  expect((await finish()).outcome).toBe('anew')
  expect((await finish()).outcome).not.toBe('anew')
})

// Not mended yet: the end of the log by a gap takes the place of the reason, and the snapshot is taken.
test('an event that is not of the standard is not forgotten after a gap', async () => {
  const { work, step, settle, emit, item } = await begunWorker('ERC721')
  emit(movesAmounts(alice, carol, [1, 1]))
  await settle()
  await settle()
  expect(item().ended?.reason).toBe('unknownEvent')
  await step(3 * 3_600)
  await step()
  expect(await work()).toEqual({ outcome: 'nothing' })
})
