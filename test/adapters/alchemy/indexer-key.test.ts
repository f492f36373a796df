import { describe, expect, test } from 'vitest'
import { indexerUrls } from '../../../lib/adapters/alchemy/asking.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { Indexer } from '../../../lib/domain/ports/indexer.ts'
import {
  apiKey,
  askPage,
  contract,
  elsewhere,
  expectMalformed,
  failureOf,
  inTime,
  onBsc,
  owner,
  pageJson,
  stubIndexer,
} from './alchemy-stub.ts'

const askBalance = (indexer: Indexer) =>
  indexer.balance({ token: onBsc, owner, deadline: inTime() })

describe('the indexer key', () => {
  const calls = {
    ownedNfts: pageJson([]),
    balance: `{"id":1,"result":{"tokenBalances":[{"contractAddress":"${contract}","tokenBalance":"0x0"}]}}`,
  }

  test.each([401, 403])('rejected with %i is read again, once', async (status) => {
    const reads: unknown[] = []
    const { indexer, requests } = await stubIndexer(
      (response, { path }) =>
        path.includes('new-secret')
          ? response.end(path.includes('/v2/') ? calls.balance : calls.ownedNfts)
          : response.writeHead(status).end('"secret"'),
      async (options) => {
        reads.push(options)
        return options?.anew ? 'new-secret' : 'old-secret'
      },
    )
    expect(await askPage(indexer)).toEqual({ nfts: [] })
    expect(await askBalance(indexer)).toBe(0n)
    expect(reads).toEqual([undefined, { anew: true }, undefined, { anew: true }])
    expect(requests).toHaveLength(4)
  })

  test('is read by a call that is prepared, once, and again if that read fails', async () => {
    const keys = [Promise.reject(new Error('no answer')), Promise.resolve('secret')]
    let reads = 0
    const { indexer, requests } = await stubIndexer(calls.ownedNfts, () => {
      reads += 1
      return keys.shift() ?? Promise.resolve('secret')
    })
    indexer.prepare()
    indexer.prepare()
    expect(reads).toBe(1)
    expect(await askPage(indexer)).toEqual({ nfts: [] })
    expect([reads, requests.length]).toEqual([2, 1])
  })

  test('rejected again fails the call', async () => {
    const { indexer, requests } = await stubIndexer((response) => response.writeHead(401).end())
    expect((await failureOf(askPage(indexer))).reason).toBe('HTTP 401')
    expect(requests).toHaveLength(2)
  })

  test('D56: refused again with 403 names the network, and neither the key nor the URL', async () => {
    const { indexer, requests } = await stubIndexer((response) =>
      response.writeHead(403).end('"secret"'),
    )
    const calls = {
      'polygon-mainnet': () => askPage(indexer),
      'bnb-mainnet': () => askBalance(indexer),
    }
    for (const [network, call] of Object.entries(calls)) {
      const failure = await failureOf(call())
      expect(failure.reason).toBe(
        `HTTP 403: is the network ${network} enabled in the app of the key?`,
      )
      expect(`${failure.message} ${failure.stack}`).not.toMatch(/secret|127\.0\.0\.1/)
    }
    expect(requests).toHaveLength(4)
  })

  test('that cannot be read fails the call with the error of the reader', async () => {
    const trouble = new Error('no secret to be had')
    const { indexer } = await stubIndexer('', () => Promise.reject(trouble))
    await expect(askPage(indexer)).rejects.toBe(trouble)
  })
})

describe('the balance of an ERC-20 token', () => {
  const balances = (entry: string) =>
    `{"jsonrpc":"2.0","id":1,"result":{"tokenBalances":[${entry}]}}`
  const entry = (tokenBalance: string, error = 'null', address: string = contract) =>
    `{"contractAddress":"${address}","tokenBalance":${tokenBalance},"error":${error}}`
  const max = `0x${'f'.repeat(64)}`

  test.each([
    ['"0x0"', 0n],
    [`"0x${'0'.repeat(64)}"`, 0n],
    ['"0x0De0B6B3A7640000"', 10n ** 18n],
    [`"${max}"`, 2n ** 256n - 1n],
  ])('%s is %s', async (hex, expected) => {
    const { indexer, requests } = await stubIndexer(balances(entry(hex)))
    expect(await askBalance(indexer)).toBe(expected)
    const { method, path, body } = requests[0] as (typeof requests)[0]
    expect(`${method} ${path}`).toBe(`POST /bnb-mainnet/v2/${encodeURIComponent(apiKey)}`)
    expect(JSON.parse(body)).toMatchObject({
      jsonrpc: '2.0',
      method: 'alchemy_getTokenBalances',
      params: [owner, [contract]],
    })
  })

  test('D39: an address without a contract is an error of the configuration', async () => {
    const { indexer } = await stubIndexer(balances(entry('"0x"')))
    const failure = await failureOf(askBalance(indexer))
    expect(failure.reason).toMatch(/^configuration: .*SERVICE_TOKEN/)
  })

  test.each([
    ['an empty error', '{"jsonrpc":"2.0","id":1,"error":"","result":{"tokenBalances":[]}}'],
    ['garbage', 'busy'],
    ['null', 'null'],
    ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"secret"}}'],
    ['no result', '{"jsonrpc":"2.0","id":1}'],
    ['no balance', balances('')],
    ['a null', balances('null')],
    ['two', balances(`${entry('"0x1"')},${entry('"0x1"')}`)],
    ['the balance of another contract', balances(entry('"0x1"', 'null', elsewhere))],
    ['a balance with an error', balances(entry('"0x1"', '"execution reverted"'))],
    ['null as a balance', balances(entry('null'))],
    ['a number as a balance', balances(entry('1'))],
    ['decimal digits', balances(entry('"12"'))],
    ['more than 256 bits', balances(entry(`"${max}f"`))],
  ])('is never read as zero (D30): %s', async (_, body) => {
    await expectMalformed(body, ({ indexer }) => askBalance(indexer))
  })
})

describe('D56: chains', () => {
  test('without another host, the URLs are Alchemy’s own', () => {
    expect(indexerUrls('POLYGON', 'a/b', undefined)).toEqual({
      nft: 'https://polygon-mainnet.g.alchemy.com/nft/v3/a%2Fb',
      jsonRpc: 'https://polygon-mainnet.g.alchemy.com/v2/a%2Fb',
    })
  })

  test.each<Chain>(['MUMBAI', 'BSC_TESTNET'])('%s causes no call', async (chain) => {
    const { indexer, requests } = await stubIndexer(pageJson([]))
    await expect(askPage(indexer, { chain })).rejects.toThrow(RangeError)
    expect(requests).toHaveLength(0)
  })
})
