import { describe, expect, test } from 'vitest'
import type { ChainEvent } from '../../../lib/domain/ports/chain-events.ts'
import { alice, bob, contract } from '../../support/follower/followed.ts'
import { moves, movesAmounts } from '../keeping/said-events.ts'
import { carol, snapshotWorker } from './snapshot-worker.ts'

describe('the worker that takes a snapshot', () => {
  test('asks an ERC-721 contract who owns what events have touched, at the settled block, and believes it', async () => {
    const { begin, work, step, finish, emit, told, asked, chain, ports, item, now } =
      snapshotWorker('ERC721')
    await begin()
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
    expect(asked.balances).toEqual([])
    expect(asked.owners).toMatchObject([
      { block, contract: { chain: 'POLYGON', address: contract }, tokenIds: ['1', '3'] },
    ])
    expect((await told()).said).toEqual([{}, { 2: 1n }, { 1: 1n }])
  })

  test('asks an ERC-1155 contract for the balances that events have touched, at the settled block', async () => {
    const {
      begin,
      work,
      finish,
      emit,
      settling: position,
      told,
      asked,
      ports,
      now,
    } = snapshotWorker('ERC1155')
    await begin()
    emit(movesAmounts(alice, bob, [1, 2], [1, 1]))
    await work()
    emit(movesAmounts(null, carol, [7, 2n ** 255n]))
    await finish()
    const { number } = position().declaredBefore
    const block = await ports.chainEvents.block('POLYGON', number, now())
    expect(asked.owners).toEqual([])
    expect(asked.balances).toMatchObject([
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
    expect(await told()).toEqual({
      said: [{ 1: 2n }, { 1: 3n, 2: 5n }, { 3: 5n, 7: 2n ** 255n }],
      so: [{ 1: 2n }, { 1: 3n, 2: 5n }, { 3: 5n, 7: 2n ** 255n }],
    })
  })

  test('asks for a hundred balances in a call', async () => {
    const { begin, finish, emit, asked } = snapshotWorker('ERC1155')
    await begin()
    const amounts = Array.from({ length: 150 }, (_, index): [number, number] => [index + 10, 1])
    emit(movesAmounts(null, bob, ...amounts))
    await finish()
    expect(asked.balances.map(({ pairs }) => pairs.length)).toEqual([100, 50])
  })

  test('asks for a hundred owners in a call', async () => {
    const { begin, finish, emit, asked, told } = snapshotWorker('ERC721')
    await begin()
    for (let tokenId = 10; tokenId < 160; tokenId += 1) emit(moves(null, bob, tokenId))
    await finish()
    expect(asked.owners.map(({ tokenIds }) => tokenIds.length)).toEqual([100, 50])
    const { said, so } = await told()
    expect(said).toEqual(so)
  })
})
