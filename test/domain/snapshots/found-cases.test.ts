import { expect, test } from 'vitest'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import { rangeReader } from '../../../lib/domain/following/chain-range.ts'
import { takeStep } from '../../../lib/domain/following/take-step.ts'
import { alice, bob, contract, Killed, settings } from '../../support/follower/followed.ts'
import { addressOf } from '../../support/follower/memory-chain.ts'
import { contractAt } from '../../support/simulated-chain/followed-table.ts'
import { followerOfTwo } from '../keeping/kept-follower.ts'
import { id, moves, movesAmounts, movesRange } from '../keeping/said-events.ts'
import { carol, snapshotWorker } from './snapshot-worker.ts'

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

test('a gap begins the log anew, also of a contract that has no snapshot yet', async () => {
  const { begin, workUntil, step, finish, emit, attempt, told } = snapshotWorker('ERC721')
  await begin()
  await workUntil(() => attempt()?.second?.readBy !== undefined)
  await step(60)
  emit(moves(alice, bob, 1))
  await step(3 * 3_600)
  if ((await finish()).outcome === 'anew') await finish()
  const { said, so } = await told()
  expect(said).toEqual(so)
})

test('a list that a killed worker wrote and the repeated page does not have is not in the snapshot', async () => {
  const { begin, work, step, finish, attempt, indexer, sleep, held } = snapshotWorker('ERC721')
  const dave = addressOf(0xe)
  await begin()
  await work()
  for (let count = 0; !attempt()?.second && count < 100; count += 1) {
    await step()
    // Right after the second pass has begun, a page is of a branch that vanishes, and the worker is killed.
    indexer.tamper = (owned) =>
      attempt()?.second ? [...owned, { owner: dave, tokenId: id(9), amount: 1n }] : owned
    let before = ''
    await work(async (call) => {
      if (attempt()?.second && before === 'list' && call === 'attempt') throw new Killed()
      before = call
    }).catch(() => undefined)
  }
  indexer.tamper = (owned) => owned
  await sleep(60_000)
  expect(await finish()).toEqual({ outcome: 'prepared' })
  await step()
  await step()
  expect(await held(dave)).toEqual({})
})

test('an event of the other standard during an attempt prevents the snapshot', async () => {
  const { begin, work, emit, finish } = snapshotWorker('ERC721')
  await begin()
  await work()
  emit(movesAmounts(alice, carol, [1, 1]))
  expect(await finish()).not.toEqual({ outcome: 'prepared' })
})

test('a chain with kept contracts is polled often enough for reads, also if no contract is leased', async () => {
  const { ports, sleep, now, held } = await followerOfTwo()
  const ranges = rangeReader('POLYGON', ports.chainEvents)
  const follower = { chain: 'POLYGON', holder: 'follower', ranges } as const
  for (let count = 0; count < 5; count += 1) {
    const result = await takeStep(follower, ports, settings, now() + 12_000)
    await sleep('pause' in result ? result.pause : 0)
  }
  expect(await held(alice)).toEqual({ 1: 1n })
})

test('a range of more than 100,000 NFTs in the log is not read again with each attempt', async () => {
  const { begin, emit, finish } = snapshotWorker('ERC721')
  await begin()
  emit(movesRange(null, bob, [10, 100_010]))
  expect((await finish()).outcome).toBe('anew')
  expect((await finish()).outcome).not.toBe('anew')
})

// Not mended yet: the end of the log by a gap takes the place of the reason, and the snapshot is taken.
test('an event that is not of the standard is not forgotten after a gap', async () => {
  const { begin, work, step, settle, emit, item } = snapshotWorker('ERC721')
  await begin()
  emit(movesAmounts(alice, carol, [1, 1]))
  await settle()
  await settle()
  expect(item().ended?.reason).toBe('unknownEvent')
  await step(3 * 3_600)
  await step()
  expect(await work()).toEqual({ outcome: 'nothing' })
})
