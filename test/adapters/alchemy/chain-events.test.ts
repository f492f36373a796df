import { describe, expect, test } from 'vitest'
import { isRangeLimit } from '../../../lib/adapters/alchemy/range-limits.ts'
import { apiKey, contract, elsewhere, failureOf, inTime, stubIndexer } from './alchemy-stub.ts'
import {
  alice,
  askEvents,
  blockJson,
  bob,
  entry,
  hash,
  rpc,
  topics,
  transfer,
  word,
} from './rpc-json.ts'

const tokens = [{ tokenId: '3', amount: '1' }]
/** What {@link entry} says. */
const details = {
  ...{ transactionHash: word('7'), standard: 'ERC721' },
  content: { kind: 'transfer', from: alice, to: bob, tokens },
}

const eventsIn = async (...entries: unknown[]) =>
  askEvents((await stubIndexer(rpc(entries))).chainEvents)

describe('D152: the events of the NFT standards', () => {
  test('are asked for in one range, of all contracts and kinds', async () => {
    const { chainEvents, requests } = await stubIndexer(rpc([]))
    const contracts = [contract, elsewhere]
    const range = { chain: 'BSC', contracts, from: 0, to: 4_000 } as const
    expect(await chainEvents.events(range, inTime())).toEqual([])
    const [{ method, path, body } = { method: '', path: '', body: '' }, ...more] = requests
    expect([`${method} ${path}`, more]).toEqual([
      `POST /bnb-mainnet/v2/${encodeURIComponent(apiKey)}`,
      [],
    ])
    const filter = { address: contracts, fromBlock: '0x0', toBlock: '0xfa0' }
    expect(JSON.parse(body)).toEqual({
      ...{ jsonrpc: '2.0', id: 1, method: 'eth_getLogs' },
      params: [{ ...filter, topics: [Object.values(topics)] }],
    })
  })

  test('have a contract, a block, an index and what they say', async () => {
    expect(await eventsIn(entry())).toEqual([
      { contract, block: { number: 100, hash }, index: 2, details },
    ])
  })

  test('do not contain the transfers of ERC-20 tokens', async () => {
    const erc20 = entry({ topics: transfer.slice(0, 3), logIndex: '0x1' })
    expect(await eventsIn(erc20, entry(), erc20)).toMatchObject([{ index: 2 }])
  })

  test('are the same in any case of their digits', async () => {
    const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`
    const members = { address: upper(contract), blockHash: upper(hash), blockNumber: '0x6E' }
    const indexed = [topics.Transfer, ...[alice, bob, '3'].map((hex) => upper(word(hex)))]
    expect(await eventsIn(entry({ ...members, topics: indexed }))).toEqual([
      { contract, block: { number: 110, hash }, index: 2, details },
    ])
  })
})

describe('D152: a block', () => {
  const blockIn = async (result: unknown, number?: number) => {
    const { chainEvents, requests } = await stubIndexer(rpc(result))
    const answer =
      number === undefined
        ? chainEvents.head('POLYGON', inTime())
        : chainEvents.block('POLYGON', number, inTime())
    return { answer, requests }
  }

  test.each([
    ['the latest one', undefined, 'latest'],
    ['one with a number', 100, '0x64'],
  ])('has a number, a hash and a time: %s', async (_, number, tag) => {
    const { answer, requests } = await blockIn(blockJson(), number)
    expect(await answer).toEqual({ number: 100, hash, at: 0x6a000000 * 1_000 })
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
      ...{ method: 'eth_getBlockByNumber', params: [tag, false] },
    })
  })

  test('that the chain does not have is undefined, and the chain always has a latest one', async () => {
    expect(await (await blockIn(null, 100)).answer).toBeUndefined()
    await failureOf((await blockIn(null)).answer)
  })
})

/** Messages as clients and providers write them; lib/adapters/alchemy/range-limits.ts has their sources. */
const tooLarge = [
  'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.',
  'Log response size exceeded. Please reduce query block range.',
  'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response.',
  'Query timeout exceeded. Consider reducing your block range.',
  'Query timeout exceeded. Consider reducing your block range. Based on your parameters and the response size limit, this block range should work: [0x42b950f, 0x435784f]',
  'Response size is larger than 150MB limit',
  'query returned more than 10000 results. Try with this block range [0xCB3D, 0x7B737].',
  'range 1000000 exceeds limit of 10000',
  'eth_getLogs is limited to a 10,000 range',
  'eth_getLogs and eth_newFilter are limited to a 10,000 blocks range',
  'eth_getLogs is limited to 0 - 50 blocks range',
  'eth_getLogs is limited to 1024 block range. Please check the parameter requirements at https://docs.blockpi.io/documentations/api-reference',
  'maximum [from, to] blocks distance: 10000',
  'block range is too wide (maximum 1024)',
  'Block range is too large',
  'block range too large, max range: 1000',
  'eth_getLogs block range too large, range: 99991, max: 3500',
  'block range too high',
  'exceed maximum block range: 5000',
  'query exceeds max block range 100000',
  'query exceeds max results 20000, retry with the range 23879634-23879696',
  'query block range exceeds server limit, narrow your filter: 1000',
  'query returns too many logs, narrow your filter: 20000',
  'Too many logs requested. Max logs per response is 1000.',
  'Requested range exceeds maximum RPC range limit',
  'block range is larger than max block range, block range = 5120, max block range = 5000',
  'block range is bigger than maxBlockRange',
  'block range greater than 10000 max',
  'backend response too large',
  'logs matched by query exceeds limit of 10000',
  'requested too many blocks from 0 to 16777216, maximum is set to 2048',
  'Block range limit exceeded.',
  'block range exceeds 1000',
  'block range exceeds configured limit',
  'requested block range exceeds the limits',
  'ranges over 10000 blocks are not supported on freetier',
  'Maximum allowed number of requested blocks is 1000',
  'please limit the query to at most 1000 blocks',
  'eth_getLogs range is too large, max is 1k blocks',
]

/** Messages of nodes that are behind, overloaded, or refuse for another reason. */
const others = [
  'block range extends beyond current head block',
  'invalid block range params',
  'header not found',
  'Unknown block',
  'limit exceeded',
  'Your app has exceeded its compute units per second capacity',
  'You have made more than 100 requests in a second',
  'query timeout exceeded',
  'query timeout of 10 seconds exceeded',
  'request timed out',
  'exceed max addresses or topics per search position',
  'the method eth_getLogs is not available',
  '',
]

describe('D139: a message that says that a range is too large', () => {
  test.each(tooLarge)('%s', (message) => {
    expect(isRangeLimit(message)).toBe(true)
  })

  test.each(others)('is not "%s"', (message) => {
    expect(isRangeLimit(message)).toBe(false)
  })
})
