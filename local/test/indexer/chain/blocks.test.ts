import { expect, test } from 'vitest'
import { createWorld } from '../../../indexer/world.ts'
import { startIndexerForTests, wallet } from '../indexer-calls.ts'

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
