import { describe, expect, test } from 'vitest'
import {
  always,
  apiKey,
  contract,
  elsewhere,
  failureOf,
  inTime,
  onBsc,
  owner,
  stubIndexer,
} from './alchemy-stub.ts'

describe('the balance of an ERC-20 token', () => {
  const balances = (entry: string) =>
    `{"jsonrpc":"2.0","id":1,"result":{"tokenBalances":[${entry}]}}`
  const entry = (tokenBalance: string, error = 'null', of: string = contract) =>
    `{"contractAddress":"${of}","tokenBalance":${tokenBalance},"error":${error}}`
  const max = `0x${'f'.repeat(64)}`

  test.each([
    ['"0x0"', 0n],
    [`"0x${'0'.repeat(64)}"`, 0n],
    ['"0x0De0B6B3A7640000"', 10n ** 18n],
    [`"${max}"`, 2n ** 256n - 1n],
  ])('%s is %s', async (hex, expected) => {
    const { indexer, requests } = await stubIndexer(always(balances(entry(hex))))
    expect(await indexer.balance({ token: onBsc, owner, deadline: inTime() })).toBe(expected)
    const { method, path, body } = requests[0] as (typeof requests)[0]
    expect(`${method} ${path}`).toBe(`POST /bnb-mainnet/v2/${encodeURIComponent(apiKey)}`)
    expect(JSON.parse(body)).toMatchObject({
      jsonrpc: '2.0',
      method: 'alchemy_getTokenBalances',
      params: [owner, [contract]],
    })
  })

  test('D39: an address without a contract is an error of the configuration', async () => {
    const { indexer } = await stubIndexer(always(balances(entry('"0x"'))))
    const failure = await failureOf(indexer.balance({ token: onBsc, owner, deadline: inTime() }))
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
    const { indexer } = await stubIndexer(always(body))
    const failure = await failureOf(indexer.balance({ token: onBsc, owner, deadline: inTime() }))
    expect(failure.reason).toMatch(/^malformed answer: /)
  })
})
