import { describe, expect, test } from 'vitest'
import { alice, bob, Killed } from '../../support/follower/followed.ts'
import { moves, movesAmounts } from '../keeping/said-events.ts'
import { carol, look, snapshotWorker, sumOfThree } from './snapshot-worker.ts'

/** Takes a snapshot amid events, and kills the worker before its call of this number. */
async function takenWithKill(number: number) {
  const worker = snapshotWorker('ERC1155')
  const { begin, step, work, finish, emit } = worker
  await begin()
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
  const { said, so } = await worker.told()
  return { outcome, isKilled, calls, said, so, item: worker.item(), left: worker.attempt() }
}

test('a worker that is killed before any of its calls leaves nothing wrong, and a repeat finishes', async () => {
  const { calls, ...whole } = await takenWithKill(Number.POSITIVE_INFINITY)
  expect(whole).toMatchObject({ outcome: 'prepared', isKilled: false, said: whole.so })
  expect(whole.said).toEqual([{ 1: 3n }, { 1: 2n }, { 2: 5n, 3: 4n }])
  for (let number = 1; number <= calls; number += 1) {
    const { outcome, isKilled, said, so, item } = await takenWithKill(number)
    expect(isKilled).toBe(true)
    expect(['prepared', 'nothing']).toContain(outcome)
    expect(item.snapshot, `killed before call ${number}`).toBeDefined()
    expect(said, `killed before call ${number}`).toEqual(so)
  }
})

test('a list that another process has corrected meanwhile is not handed over as if it were corrected', async () => {
  const { begin, work, workUntil, step, emit, attempt, sleep, told, finish } =
    snapshotWorker('ERC721')
  await begin()
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
  const { said, so } = await told()
  expect(said).toEqual(so)
  expect(said).toEqual([{ 1: 1n }, { 2: 1n }, { 3: 1n }])
})

describe('a process at work', () => {
  test('keeps others from the attempt for a minute, also when it is killed', async () => {
    const { begin, work, sleep, attempt, indexer } = snapshotWorker('ERC721')
    await begin()
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
    const { begin, work, finish, indexer, told } = snapshotWorker('ERC721')
    await begin()
    await Promise.all([work(), work()])
    expect(indexer.pages).toEqual([alice, bob, carol])
    expect(await finish()).toEqual({ outcome: 'prepared' })
    expect((await told()).said).toEqual([{ 1: 1n }, { 2: 1n }, { 3: 1n }])
  })
})
