import { beforeEach, describe, expect, test } from 'vitest'
import { transfer } from '../../../indexer/chain/movements.ts'
import { give } from '../../../indexer/holdings.ts'
import {
  contract,
  deploy,
  hex,
  other,
  polygon,
  startIndexerForTests,
  token,
  wallet,
  word,
} from '../indexer-calls.ts'

const { clock, rpc, world } = await startIndexerForTests()
const start = clock.now
const nextBlock = start / 2000 + 1

interface Log {
  topics: string[]
  blockNumber: string
  logIndex: string
}

const all = { fromBlock: hex(nextBlock - 1), toBlock: 'latest' }
const logs = async (filter: object = all) => (await rpc('eth_getLogs', [filter])).result as Log[]

// The hashes of the signatures, as they are published with the standards.
const Transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const TransferSingle = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const MetadataUpdate = '0xf8e1a15aba9398e019f0b49df1a4fde98ee17ae345cb5f6b5e2c27f5033e8ce7'

beforeEach(() => {
  clock.now = start
})

/** Makes the events of before visible: the clock moves on to the next block. */
const seal = () => {
  clock.now += 2000
}

describe('an event is in the block after the latest one', () => {
  test('ERC-721: Transfer has four topics and no data', async () => {
    deploy(world, 'ERC721')
    give(world, token('3'), wallet)
    transfer(world, token('3'), { from: wallet, to: other }, clock.now)
    expect(await logs()).toEqual([])
    seal()
    const { result: block } = await rpc('eth_getBlockByNumber', ['latest', false])
    const { hash, number } = block as { hash: string; number: string }
    expect(await logs()).toEqual([
      {
        address: contract,
        topics: [Transfer, `0x${word(wallet)}`, `0x${word(other)}`, `0x${word(3)}`],
        data: '0x',
        blockNumber: number,
        blockHash: hash,
        transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        transactionIndex: '0x0',
        logIndex: '0x0',
        removed: false,
      },
    ])
  })

  test('ERC-1155: TransferSingle has identifier and amount in its data', async () => {
    deploy(world, 'ERC1155')
    give(world, token('3'), wallet, 7n)
    transfer(world, token('3'), { from: wallet, to: other, amount: 5n }, clock.now)
    seal()
    const [owner, recipient] = [`0x${word(wallet)}`, `0x${word(other)}`]
    expect(await logs()).toMatchObject([
      { topics: [TransferSingle, owner, owner, recipient], data: `0x${word(3)}${word(5)}` },
    ])
  })

  test('a minted and a burned NFT come from and go to the zero address', async () => {
    deploy(world, 'ERC721')
    const minting = { contractAddress: contract, to: wallet }
    const { result } = await rpc('sample_mint', [minting])
    expect(result).toEqual({ tokenId: '4' })
    transfer(world, token('4'), { from: wallet }, clock.now)
    seal()
    const [zero, owner] = [`0x${word(0)}`, `0x${word(wallet)}`]
    expect((await logs()).map(({ topics, logIndex }) => [logIndex, ...topics])).toEqual([
      ['0x0', Transfer, zero, owner, `0x${word(4)}`],
      ['0x1', Transfer, owner, zero, `0x${word(4)}`],
    ])
  })

  test('a transaction that fails has no event and changes nothing', async () => {
    deploy(world, 'ERC1155')
    give(world, token('1'), wallet, 2n)
    const parties = { from: wallet, to: other, amount: 3n }
    expect(() => transfer(world, token('1'), parties, clock.now)).toThrow(RangeError)
    seal()
    expect(await logs()).toEqual([])
    expect(world[polygon].wallets.get(wallet as never)?.get(contract as never)).toEqual(
      new Map([['1', 2n]]),
    )
  })
})

describe('eth_getLogs', () => {
  /** Mints tokens 10, 11, 12 in three blocks. */
  const mintThree = () => {
    deploy(world, 'ERC721')
    for (const tokenId of ['10', '11', '12']) {
      transfer(world, token(tokenId), { to: wallet }, clock.now)
      seal()
    }
  }
  const numbers = async (filter: object) =>
    (await logs(filter)).map(({ blockNumber }) => Number(blockNumber) - nextBlock)

  test('returns the events of a range, with both ends', async () => {
    mintThree()
    const range = (from: number, to: number) => ({
      fromBlock: hex(nextBlock + from),
      toBlock: hex(nextBlock + to),
    })
    expect(await numbers(range(0, 2))).toEqual([0, 1, 2])
    expect(await numbers(range(1, 1))).toEqual([1])
    expect(await numbers(range(-5, 0))).toEqual([0])
    expect(await numbers(range(2, 100))).toEqual([2])
    expect(await numbers(range(3, 3))).toEqual([])
    expect(await numbers({})).toEqual([2])
    expect(await numbers({ fromBlock: hex(nextBlock + 1) })).toEqual([1, 2])
  })

  test('filters by contracts', async () => {
    mintThree()
    for (const address of [contract, [contract], [other, contract.toUpperCase().replace('X', 'x')]])
      expect(await numbers({ ...all, address })).toEqual([0, 1, 2])
    for (const address of [other, [other]]) expect(await numbers({ ...all, address })).toEqual([])
    expect(await numbers({ ...all, address: [] })).toEqual([0, 1, 2])
  })

  test('filters by topics, of which each position has alternatives', async () => {
    mintThree()
    const third = `0x${word(12)}`
    const topics = (...topics: unknown[]) => ({ ...all, topics })
    expect(await numbers(topics([MetadataUpdate, Transfer]))).toEqual([0, 1, 2])
    expect(await numbers(topics(MetadataUpdate))).toEqual([])
    expect(await numbers(topics(null, null, null, third))).toEqual([2])
    expect(await numbers(topics([], null, `0x${word(wallet)}`, [third, `0x${word(10)}`]))).toEqual([
      0, 2,
    ])
  })

  test.each([
    [undefined, 'a filter is expected'],
    [{ fromBlock: '12' }, 'invalid block number: 12'],
    [{ fromBlock: '0x2', toBlock: '0x1' }, 'invalid block range params'],
    [{ address: ['0x12'] }, 'address must be a valid address'],
    [{ topics: ['0x12'] }, 'invalid topic: 0x12'],
    [{ topics: Transfer }, 'invalid topics'],
    [{ blockHash: `0x${word(1)}` }, 'blockHash is not supported'],
  ])('rejects %j', async (filter, message) => {
    const { status, error } = await rpc('eth_getLogs', [filter])
    expect({ status, error }).toEqual({ status: 400, error: { code: -32602, message } })
  })

  test('refuses a range that is too wide, with a range that works', async () => {
    const range = { fromBlock: '0x10', toBlock: hex(0x10 + 2000) }
    const message = `You can make eth_getLogs requests with up to a 2000 block range. Based on your parameters, this block range should work: [0x10, ${hex(0x10 + 1999)}]`
    expect(await rpc('eth_getLogs', [range])).toMatchObject({
      status: 400,
      error: { code: -32600, message },
    })
    expect((await rpc('eth_getLogs', [{ ...range, toBlock: hex(0x10 + 1999) }])).result).toEqual([])
    expect((await rpc('eth_getLogs', [range], 'bnb-mainnet')).result).toEqual([])
  })

  test('refuses an answer that is too large, with a range that works', async () => {
    mintThree()
    for (let id = 0; id < 9_998; id += 1) {
      transfer(world, token(`${100 + id}`), { to: wallet }, clock.now)
    }
    seal()
    const { status, error } = await rpc('eth_getLogs', [all])
    expect({ status, code: error?.code }).toEqual({ status: 200, code: -32602 })
    expect(error?.message).toMatch(/^Log response size exceeded\. /)
    const [, from, to] = /: \[(0x[0-9a-f]+), (0x[0-9a-f]+)\]$/.exec(`${error?.message}`) ?? []
    expect(await numbers({ fromBlock: from, toBlock: to })).toEqual([0, 1, 2])
  })
})
