import { beforeEach, describe, expect, test } from 'vitest'
import { transfer, transferBatch } from '../../../../local/indexer/chain/movements.ts'
import { reorganize } from '../../../../local/indexer/chain/reorganization.ts'
import { give } from '../../../../local/indexer/holdings.ts'
import { contract, deploy, other, polygon, startIndexerForTests, wallet } from '../indexer-calls.ts'

const { chain, clock, page, rpc, world } = await startIndexerForTests()
const start = clock.now
const token = (tokenId: string) => ({ network: polygon, address: contract, tokenId }) as const
const place = { network: polygon, address: contract } as const

const held = async (owner: string) =>
  (await page({ owner })).ownedNfts.map(({ tokenId, balance }) => `${balance} of ${tokenId}`)

const blocks = async () => {
  const range = { fromBlock: `0x${(start / 2000).toString(16)}`, toBlock: 'latest' }
  const { result } = await rpc('eth_getLogs', [range])
  return (result as { blockNumber: string }[]).map((log) => Number(log.blockNumber) - start / 2000)
}

beforeEach(() => {
  clock.now = start
  deploy(world, 'ERC1155')
  give(world, token('1'), wallet, 5n)
})

describe('an index that lags', () => {
  test('has no movement of a block younger than the lag, and states the latest block', async () => {
    chain.indexLagSeconds = 4
    transfer(world, token('1'), { from: wallet, to: other, amount: 2n }, clock.now)
    transferBatch(
      world,
      place,
      { to: wallet, tokens: [{ tokenId: '2', amount: 3n }] },
      start + 2000,
    )
    expect(await held(wallet)).toEqual(['5 of 1'])
    clock.now = start + 5999
    expect([await held(wallet), await held(other)]).toEqual([['5 of 1'], []])
    expect((await page({ owner: wallet })).validAt.blockNumber).toBe(start / 2000 + 2)
    clock.now = start + 6000
    expect([await held(wallet), await held(other)]).toEqual([['3 of 1'], ['2 of 1']])
    clock.now = start + 8000
    expect(await held(wallet)).toEqual(['3 of 1', '3 of 2'])
  })

  test('of 0 seconds has movements from their block on, and without a lag they are there before', async () => {
    transfer(world, token('1'), { from: wallet, to: other, amount: 5n }, clock.now)
    expect([await held(wallet), await held(other)]).toEqual([[], ['5 of 1']])
    chain.indexLagSeconds = 0
    expect([await held(wallet), await held(other)]).toEqual([['5 of 1'], []])
    clock.now += 2000
    expect([await held(wallet), await held(other)]).toEqual([[], ['5 of 1']])
  })

  test('has the way back of an NFT that returned, and what a wallet sent to itself', async () => {
    transfer(world, token('1'), { from: wallet, to: other, amount: 5n }, clock.now)
    transfer(world, token('1'), { from: other, to: wallet, amount: 1n }, start + 2000)
    transfer(world, token('1'), { from: wallet, to: wallet, amount: 1n }, start + 4000)
    clock.now = start + 4000
    chain.indexLagSeconds = 2
    expect([await held(wallet), await held(other)]).toEqual([[], ['5 of 1']])
    chain.indexLagSeconds = 0
    expect([await held(wallet), await held(other)]).toEqual([['1 of 1'], ['4 of 1']])
  })
})

describe('a reorganization', () => {
  /** Moves an NFT in each of three blocks; the third one is not there yet. */
  const moveThrice = () => {
    for (const second of [0, 2, 4]) {
      clock.now = start + second * 1000
      transfer(world, token('1'), { from: wallet, to: other }, clock.now)
    }
  }

  test('drops the events of the replaced blocks and those that wait, with what they changed', async () => {
    moveThrice()
    expect(await blocks()).toEqual([1, 2])
    reorganize(world, polygon, { blocks: 1, events: 'dropped' }, clock.now)
    clock.now += 4000
    expect(await blocks()).toEqual([1])
    expect([await held(wallet), await held(other)]).toEqual([['4 of 1'], ['1 of 1']])
  })

  test('moves the events of the replaced blocks into the next block', async () => {
    moveThrice()
    reorganize(world, polygon, { blocks: 2, events: 'moved' }, clock.now)
    expect(await blocks()).toEqual([])
    clock.now += 2000
    expect(await blocks()).toEqual([3, 3, 3])
    expect([await held(wallet), await held(other)]).toEqual([['2 of 1'], ['3 of 1']])
  })

  test('reverts movements of the same NFT from the last to the first', async () => {
    transfer(world, token('3'), { to: wallet }, clock.now)
    transfer(world, token('3'), { from: wallet, to: other }, clock.now)
    transfer(world, token('3'), { from: other }, clock.now)
    reorganize(world, polygon, { blocks: 1, events: 'dropped' }, clock.now + 2000)
    expect([await held(wallet), await held(other)]).toEqual([['5 of 1'], []])
  })
})
