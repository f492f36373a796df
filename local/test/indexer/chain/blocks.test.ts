import { beforeEach, describe, expect, test } from 'vitest'
import { transfer } from '../../../indexer/chain/movements.ts'
import { reorganize } from '../../../indexer/chain/reorganization.ts'
import { give } from '../../../indexer/holdings.ts'
import { createWorld } from '../../../indexer/world.ts'
import { contract, deploy, other, polygon, startIndexerForTests, wallet } from '../indexer-calls.ts'

const { clock, page, rpc, world } = await startIndexerForTests()

const start = clock.now

interface Block {
  number: string
  hash: string
  parentHash: string
  timestamp: string
}

const block = async (tag: string, network?: Parameters<typeof rpc>[2]) =>
  (await rpc('eth_getBlockByNumber', [tag, false], network)).result as Block

test('blocks follow the clock, with the block time of the chain', async () => {
  clock.now = start
  const polygonBlocks = start / 2000
  expect((await rpc('eth_blockNumber')).result).toBe(`0x${polygonBlocks.toString(16)}`)
  clock.now = start + 1999
  expect((await block('latest')).number).toBe(`0x${polygonBlocks.toString(16)}`)
  clock.now = start + 2000
  expect((await block('latest')).number).toBe(`0x${(polygonBlocks + 1).toString(16)}`)
  const bnbBlocks = Math.floor(clock.now / 450)
  expect((await rpc('eth_blockNumber', [], 'bnb-mainnet')).result).toBe(
    `0x${bnbBlocks.toString(16)}`,
  )
  const { timestamp } = await block('latest', 'bnb-mainnet')
  expect(Number(timestamp)).toBe(Math.floor((bnbBlocks * 450) / 1000))
})

test('each block names its parent, and has the same hash at any time', async () => {
  clock.now = start
  const first = await block('latest')
  clock.now = start + 4000
  const third = await block('latest')
  const second = await block(`0x${(Number(first.number) + 1).toString(16)}`)
  expect([third.parentHash, second.parentHash]).toEqual([second.hash, first.hash])
  expect(new Set([first.hash, second.hash, third.hash]).size).toBe(3)
  expect(await block(first.number)).toEqual(first)
  expect((await block('0x0')).parentHash).toBe(`0x${'0'.repeat(64)}`)
  expect((await block(first.number, 'bnb-mainnet')).hash).not.toBe(first.hash)
  Object.assign(world, createWorld('another'))
  expect((await block(first.number)).hash).not.toBe(first.hash)
})

test('a block that does not exist yet is null, and a number in another form is an error', async () => {
  clock.now = start
  expect(await block(`0x${(start / 2000 + 1).toString(16)}`)).toBeNull()
  for (const number of ['1', 1, '0x01', '0xg', '', undefined]) {
    const { status, error } = await rpc('eth_getBlockByNumber', [number, false])
    expect({ status, code: error?.code }).toEqual({ status: 400, code: -32602 })
  }
})

test('an answer of the NFT API states the latest block', async () => {
  clock.now = start + 3000
  const { number, hash, timestamp } = await block('latest')
  expect((await page({ owner: wallet })).validAt).toEqual({
    blockNumber: Number(number),
    blockHash: hash,
    blockTimestamp: new Date(Number(timestamp) * 1000).toISOString(),
  })
})

test('a reorganization changes the hashes of the replaced and of all later blocks', async () => {
  clock.now = start + 20_000
  const numbers = [0, 1, 2, 3].map((back) => `0x${(clock.now / 2000 - back).toString(16)}`)
  const before = await Promise.all(numbers.map((number) => block(number)))
  reorganize(world, polygon, { blocks: 2, events: 'moved' }, clock.now)
  const after = await Promise.all(numbers.map((number) => block(number)))
  const isSame = after.map(({ hash }, index) => hash === before[index]?.hash)
  expect(isSame).toEqual([false, false, true, true])
  expect(after[1]?.parentHash).toBe(before[2]?.hash)
  expect(after[0]?.parentHash).toBe(after[1]?.hash)
  reorganize(world, polygon, { blocks: 1, events: 'moved' }, clock.now)
  expect((await block('latest')).hash).not.toBe(after[0]?.hash)
  expect((await block('latest')).parentHash).toBe(after[1]?.hash)
})

const token = (tokenId: string) => ({ network: polygon, address: contract, tokenId }) as const

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
