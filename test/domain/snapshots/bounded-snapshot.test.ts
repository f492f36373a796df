import { describe, expect, test } from 'vitest'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import { listAt } from '../../../simulation/kept-table.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { alice, bob, contract } from '../../support/follower/followed.ts'
import { Killed } from '../../support/memory/interruptions.ts'
import { id, moves, movesAmounts } from '../keeping/said-events.ts'
import { begunWorker, carol, look } from './snapshot-worker.ts'

/** With them, bob has as many NFTs as a list can have, so that a piece is full after him. */
const ofBob = Array.from({ length: 9_999 }, (_, index) => id(index + 10))

/** A worker that reads all owners in one page of two pieces. */
async function workerOfPieces() {
  const worker = await begunWorker('ERC721', { ofBob })
  worker.indexer.ownersPerPage = 3
  return worker
}

const month = 30 * 86_400_000

const refused = { outcome: 'refused', reason: 'tooManyTokens' }

describe('a page of owners', () => {
  test('is written while it arrives, in pieces that hold owners whole, with the attempt taken anew before each', async () => {
    const { work, attempt, kept, now, sleep } = await workerOfPieces()
    const pieces: (readonly Address[])[] = []
    await work(async (call) => {
      if (call !== 'kept holders') return
      pieces.push([...(kept.holders.get(`${contract} 1`) ?? [])])
      expect(attempt()).toMatchObject({ takenUntil: now() + 60_000, first: { isWriting: true } })
      await sleep(15_000)
    })
    expect(pieces).toEqual([[], [alice, bob]])
    expect([...(kept.holders.get(`${contract} 1`) ?? [])]).toEqual([alice, bob, carol])
    expect(attempt()?.first).toMatchObject({ count: 10_002 })
  })

  test('is held in pieces of at most 20,000 NFTs, whatever an owner has of it', async () => {
    const { work, indexer, kept } = await begunWorker('ERC721')
    const others = Array.from({ length: 30_000 }, (_, index) => addressOf(0x1000 + index))
    const one = (owner: Address, tokenId: number) => ({ owner, tokenId: id(tokenId), amount: 1n })
    indexer.tamper = () => [
      ...others.slice(0, 9_999).map((owner, index) => one(owner, index)),
      ...Array.from({ length: 50_000 }, (_, index) => one(bob, 10_000 + index)),
      ...others.slice(9_999).map((owner, index) => one(owner, 100_000 + index)),
    ]
    const pieces: number[] = []
    await work(async (call) => {
      if (call === 'kept holders') pieces.push(0)
      if (call === 'list') pieces.push((pieces.pop() ?? 0) + 1)
      if (call === 'page' && indexer.pages.length > 0) indexer.tamper = () => []
    })
    expect(pieces).toEqual([10_000, 10_000, 10_000, 1])
    expect(kept.lists.get(listAt({ address: contract, id: '1' }, bob))?.isTooLong).toBe(true)
  })

  test('becomes the snapshot that its owners have', async () => {
    const { finish, step, held } = await workerOfPieces()
    expect(await finish()).toEqual({ outcome: 'prepared' })
    await step()
    await step()
    expect(Object.keys((await held(bob)) ?? {})).toHaveLength(10_000)
    expect(await held(carol)).toEqual({ 3: 1n })
  })

  test('that fails after a piece was written is read again in a new pass, with other lists', async () => {
    const { work, finish, attempt, indexer, item, sleep, kept } = await workerOfPieces()
    indexer.failure = { error: new IndexerUnavailable('connection lost'), after: 10_002 }
    await expect(work()).rejects.toThrow(IndexerUnavailable)
    expect(attempt()?.first).toMatchObject({ id: '1', isWriting: true })
    indexer.failure = undefined
    await sleep(60_000)
    expect(await finish()).toEqual({ outcome: 'prepared' })
    expect(item().prepared?.id).toBe('3')
    expect([...kept.registered.values()].map((each) => each.id)).toEqual(['1', '2', '3'])
  })

  test('that fails with each try ends the attempt after the third one', async () => {
    const { work, attempt, indexer, sleep } = await workerOfPieces()
    indexer.failure = { error: new IndexerUnavailable('connection lost'), after: 10_002 }
    for (const id of ['1', '2', '3']) {
      await expect(work()).rejects.toThrow(IndexerUnavailable)
      expect(attempt()?.first).toMatchObject({ id, isWriting: true })
      await sleep(60_000)
    }
    expect((await work()).outcome).toBe('waiting')
    expect(attempt()).toBeUndefined()
  })

  test('that fails before is read again in the same pass', async () => {
    const { work, attempt, indexer, sleep } = await workerOfPieces()
    indexer.failure = { error: new IndexerUnavailable('connection lost'), after: 10_001 }
    await expect(work()).rejects.toThrow(IndexerUnavailable)
    expect(attempt()?.first).not.toHaveProperty('isWriting', true)
    indexer.failure = undefined
    await sleep(60_000)
    await work()
    expect(attempt()?.first).toMatchObject({ id: '1', count: 10_002 })
  })

  test('is not begun with less than half of the time of a worker left, unless it is the first one', async () => {
    const { work, attempt, indexer, sleep } = await begunWorker('ERC721')
    const slow = async (call: string) => {
      if (call === 'page') await sleep(15_000)
    }
    expect(await work(slow)).toEqual({ outcome: 'waiting', pause: look })
    expect(indexer.pages).toEqual([alice, bob])
    expect(attempt()).toMatchObject({ takenUntil: 0, first: { pageKey: bob } })
  })
})

describe('what many events have touched', () => {
  /** A worker whose passes have read that alice and bob have got 4,000 NFTs each since the log began. */
  async function touched() {
    const worker = await begunWorker('ERC1155')
    const { emit, step, workUntil, attempt } = worker
    const get = (wallet: Address, first: number) =>
      emit(
        movesAmounts(
          null,
          wallet,
          ...Array.from({ length: 4_000 }, (_, index) => [first + index, 1] as [number, number]),
        ),
      )
    get(alice, 1_000)
    for (let seconds = 0; seconds < 100; seconds += 5) await step()
    get(bob, 6_000)
    await workUntil(() => attempt()?.second?.readBy !== undefined)
    return worker
  }

  test('is corrected in parts as of one block, each of which goes on where the one before has ended', async () => {
    const { workUntil, finish, emit, attempt, queries, sleep, item, expectHeld } = await touched()
    await workUntil(
      () => attempt()?.agreed?.corrected === 5_000,
      async (call) => {
        if (call === 'balancesOf') await sleep(600)
      },
    )
    expect(attempt()).toMatchObject({ takenUntil: 0 })
    const block = attempt()?.agreed?.block
    expect(queries.balances).toHaveLength(50)
    emit(movesAmounts(bob, carol, [6_000, 1]))
    expect(await finish()).toEqual({ outcome: 'prepared' })
    expect(item().prepared).toMatchObject({ since: block?.number, at: block?.at })
    expect(new Set(queries.balances.map((query) => query.block))).toEqual(new Set([block]))
    expect(queries.balances.flatMap(({ pairs }) => pairs)).toHaveLength(8_000)
    await expectHeld()
  })

  test('is corrected as of a later block once that is ten minutes old', async () => {
    const { work, finish, emit, attempt, sleep, step, item, expectHeld } = await touched()
    emit(movesAmounts(alice, carol, [1, 1]))
    for (let seconds = 0; seconds < 100; seconds += 5) await step()
    let lists = 0
    const killed = async (call: string) => {
      if (call !== 'kept list') return
      lists += 1
      if (lists > 1) throw new Killed()
    }
    await expect(finish(killed)).rejects.toThrow(Killed)
    const block = attempt()?.agreed?.block.number ?? 0
    emit(movesAmounts(alice, carol, [1, 2]))
    for (let minutes = 0; minutes < 10; minutes += 1) await step(60)
    await sleep(1)
    expect(await work()).toEqual({ outcome: 'prepared' })
    expect(item().prepared?.since).toBeGreaterThan(block)
    await expectHeld()
  })
})

test('a process that wakes up late does not replace what another one has corrected as of a later block', async () => {
  const { work, workUntil, emit, attempt, sleep, step, expectHeld } = await begunWorker('ERC1155')
  emit(movesAmounts(alice, bob, [1, 1]))
  await workUntil(() => attempt()?.second?.readBy !== undefined)
  for (let seconds = 0; seconds < 100; seconds += 5) await step()
  const { promise: asleep, resolve: wake } = Promise.withResolvers<void>()
  const { promise: isAmid, resolve: reach } = Promise.withResolvers<void>()
  const late = work(async (call) => {
    if (call !== 'balancesOf') return
    reach()
    await asleep
  })
  await isAmid
  emit(movesAmounts(alice, carol, [1, 2]))
  for (let minutes = 0; minutes < 10; minutes += 1) await step(60)
  await sleep(1)
  expect(await work()).toEqual({ outcome: 'prepared' })
  wake()
  expect(await late).toEqual({ outcome: 'anew', pause: look })
  expect((await expectHeld())[0]).toEqual({ 1: 2n })
})

describe('a contract of which no snapshot is taken', () => {
  test('has more NFTs than are kept, on any of its pages, and is asked for during a month', async () => {
    const { work, step, sleep, item, attempt, now, kept } = await begunWorker('ERC721', {
      keptTokens: 2,
    })
    expect(await work()).toEqual(refused)
    expect(item()).toMatchObject({ ended: { reason: 'tooManyTokens', at: now() } })
    expect([item().log, item().snapshot, attempt()]).toEqual([undefined, undefined, undefined])
    expect(kept.registered.size).toBe(1)
    await step()
    expect(await work()).toEqual({ outcome: 'nothing' })
    await sleep(month - 10_000)
    expect(await work()).toEqual({ outcome: 'nothing' })
    await sleep(10_000)
    expect(await work()).toMatchObject({ outcome: 'waiting' })
    expect(item().log).toEqual({ standard: 'ERC721' })
  })

  test('ends its snapshot when it has grown too large', async () => {
    const { finish, step, work, item, indexer, held } = await begunWorker('ERC721', {
      keptTokens: 3,
    })
    expect(await finish()).toEqual({ outcome: 'prepared' })
    await step()
    expect(item().snapshot).toBeDefined()
    await work()
    await step()
    indexer.tamper = (owned) => owned.flatMap((each) => [each, { ...each, tokenId: id(9) }])
    expect(await finish()).toEqual(refused)
    expect(await held(alice)).toBeUndefined()
  })

  test('is refused also if the follower writes its item meanwhile', async () => {
    const { work, step, emit, item } = await begunWorker('ERC721', { keptTokens: 2 })
    let tries = 0
    const progress = await work(async (call) => {
      if (call !== 'kept contract') return
      tries += 1
      if (tries > 2) return
      emit(moves(alice, bob, 1))
      await step()
    })
    expect(progress).toEqual(refused)
    expect(tries).toBe(3)
    expect(item().ended?.reason).toBe('tooManyTokens')
  })
})
