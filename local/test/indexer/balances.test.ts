import { describe, expect, test } from 'vitest'
import { type Network, setBalance } from '../../indexer/world.ts'
import { address, contract, other, polygon, startIndexerForTests, wallet } from './indexer-calls.ts'

const { indexer, post, world } = await startIndexerForTests()

describe('alchemy_getTokenBalances', () => {
  const token = address('20')
  const ask = (params: unknown, network: Network = polygon) =>
    post(
      'v2/any-key',
      { jsonrpc: '2.0', id: 7, method: 'alchemy_getTokenBalances', params },
      network,
    )

  test('returns balances of any size as 32 bytes of hexadecimal', async () => {
    const balance = 2n ** 255n + 1n
    setBalance(world, { network: polygon, address: token, wallet }, balance)
    const tokenBalance = `0x8${'0'.repeat(62)}1`
    const result = {
      address: wallet,
      tokenBalances: [{ contractAddress: token, tokenBalance, error: null }],
    }
    expect(await ask([wallet, [token]])).toEqual({
      status: 200,
      json: { jsonrpc: '2.0', id: 7, result },
    })
    expect(indexer.requests.get('alchemy_getTokenBalances')).toBe(1)
  })

  test('returns zero for a wallet without a balance, and an error for an unknown token', async () => {
    setBalance(world, { network: polygon, address: token, wallet }, 1n)
    const { json } = await ask([other, [token, contract]])
    expect(json).toMatchObject({
      result: {
        tokenBalances: [
          { tokenBalance: `0x${'0'.repeat(64)}`, error: null },
          { tokenBalance: null, error: 'execution reverted' },
        ],
      },
    })
  })

  test('rejects other methods and parameters with JSON-RPC errors', async () => {
    for (const params of [
      undefined,
      [],
      ['0x1'],
      [wallet],
      [wallet, [1]],
      [wallet, Array(1501).fill(token)],
    ]) {
      expect(await ask(params)).toMatchObject({
        status: 400,
        json: { id: 7, error: { code: -32602 } },
      })
    }
    const call = await post('v2/k', { jsonrpc: '2.0', id: 'x', method: 'eth_getBalance' })
    expect(call).toMatchObject({ status: 400, json: { id: 'x', error: { code: -32600 } } })
    for (const body of [null, 1, '[]', '"x"'])
      expect(await post('v2/k', body)).toMatchObject({ status: 400 })
  })
})
