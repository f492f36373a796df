import { describe, expect, test } from 'vitest'
import { createWorld, setBalance } from '../../indexer/world.ts'
import {
  address,
  contract,
  hex,
  other,
  polygon,
  startIndexerForTests,
  wallet,
} from './indexer-calls.ts'

const { clock, indexer, page, post, rpc, world } = await startIndexerForTests()

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
  expect((await rpc('eth_blockNumber')).result).toBe(hex(polygonBlocks))
  clock.now = start + 1999
  expect((await block('latest')).number).toBe(hex(polygonBlocks))
  clock.now = start + 2000
  expect((await block('latest')).number).toBe(hex(polygonBlocks + 1))
  const bnbBlocks = Math.floor(clock.now / 450)
  expect((await rpc('eth_blockNumber', [], 'bnb-mainnet')).result).toBe(hex(bnbBlocks))
  const { timestamp } = await block('latest', 'bnb-mainnet')
  expect(Number(timestamp)).toBe(Math.floor((bnbBlocks * 450) / 1000))
})

test('each block names its parent, and has the same hash at any time', async () => {
  clock.now = start
  const first = await block('latest')
  clock.now = start + 4000
  const third = await block('latest')
  const second = await block(hex(Number(first.number) + 1))
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
  expect(await block(hex(start / 2000 + 1))).toBeNull()
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

describe('alchemy_getTokenBalances', () => {
  const token = address('20')
  const ask = (params: unknown[]) => rpc('alchemy_getTokenBalances', params)

  test('returns balances of any size as 32 bytes of hexadecimal', async () => {
    setBalance(world, { network: polygon, address: token, wallet }, 2n ** 255n + 1n)
    const tokenBalance = `0x8${'0'.repeat(62)}1`
    expect(await ask([wallet, [token]])).toEqual({
      status: 200,
      result: {
        address: wallet,
        tokenBalances: [{ contractAddress: token, tokenBalance, error: null }],
      },
    })
    expect(indexer.requests.get('alchemy_getTokenBalances')).toBe(1)
  })

  test('returns zero for a wallet without a balance, and an error for an unknown token', async () => {
    setBalance(world, { network: polygon, address: token, wallet }, 1n)
    expect((await ask([other, [token, contract]])).result).toMatchObject({
      tokenBalances: [
        { tokenBalance: `0x${'0'.repeat(64)}`, error: null },
        { tokenBalance: null, error: 'execution reverted' },
      ],
    })
  })

  test('rejects other parameters', async () => {
    const many = [wallet, Array(1501).fill(token)]
    for (const params of [[], ['0x1'], [wallet], [wallet, [1]], many]) {
      expect(await ask(params)).toMatchObject({ status: 400, error: { code: -32602 } })
    }
  })
})

test('an unknown method and a body that is no request are errors', async () => {
  const call = await post('v2/k', { jsonrpc: '2.0', id: 'x', method: 'eth_getBalance' })
  expect(call).toMatchObject({ status: 400, json: { id: 'x', error: { code: -32600 } } })
  for (const body of [null, 1, '[]', '"x"'])
    expect(await post('v2/k', body)).toMatchObject({ status: 400 })
})

describe('a JSON-RPC batch', () => {
  test('has a response for each request, also for requests that fail', async () => {
    clock.now = start
    const requests = [
      { jsonrpc: '2.0', id: 'a', method: 'eth_blockNumber' },
      { jsonrpc: '2.0', id: 'b', method: 'eth_getLogs', params: [{ address: '0x' }] },
      null,
    ]
    const { status, json } = await post('v2/any-key', requests)
    expect({ status, json }).toEqual({
      status: 200,
      json: [
        { jsonrpc: '2.0', id: 'a', result: hex(start / 2000) },
        {
          jsonrpc: '2.0',
          id: 'b',
          error: { code: -32602, message: 'address must be a valid address' },
        },
        { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Unsupported method: none' } },
      ],
    })
    expect(Object.fromEntries(indexer.requests)).toEqual({ eth_blockNumber: 1, eth_getLogs: 1 })
  })

  test('of no requests, or of more than 1,000, is an error', async () => {
    for (const batch of [[], Array(1001).fill({ id: 1, method: 'eth_blockNumber' })]) {
      const { status, json } = await post('v2/any-key', batch)
      expect({ status, json }).toMatchObject({ status: 400, json: { error: { code: -32600 } } })
    }
  })
})
