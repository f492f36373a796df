import { beforeEach, describe, expect, test } from 'vitest'
import { transfer } from '../../../indexer/chain/movements.ts'
import { give } from '../../../indexer/holdings.ts'
import {
  address,
  contract,
  deploy,
  hex,
  other,
  startIndexerForTests,
  token,
  wallet,
  word,
} from '../indexer-calls.ts'

const { clock, post, rpc, world } = await startIndexerForTests()
const start = clock.now
const callOf = (selector: string, ...words: (string | number)[]) => ({
  to: contract,
  data: `0x${selector}${words.map(word).join('')}`,
})
const ownerOf = (tokenId: string) => callOf('6352211e', tokenId)
const balanceOf = (of: string) => callOf('70a08231', of)
const call = async (message: object, ...at: unknown[]) => rpc('eth_call', [message, ...at])
const resultOf = async (message: object, ...at: unknown[]) => (await call(message, ...at)).result

beforeEach(() => {
  clock.now = start
})

describe('eth_call of an ERC-721 contract', () => {
  beforeEach(() => {
    deploy(world, 'ERC721')
    for (const tokenId of ['1', '2']) give(world, token(tokenId), wallet)
  })

  test('has the state of the block, by number, tag and hash', async () => {
    const block = start / 2000
    transfer(world, token('1'), { from: wallet, to: other }, start)
    transfer(world, token('1'), { from: other, to: other }, start + 2000)
    transfer(world, token('2'), { from: wallet }, start + 2000)
    transfer(world, token('3'), { to: wallet }, start + 4000)
    clock.now = start + 4000
    const states: unknown[] = []
    for (const number of [block, block + 1, block + 2]) {
      const { result } = await rpc('eth_getBlockByNumber', [hex(number), false])
      const byHash = { blockHash: (result as { hash: string }).hash, requireCanonical: true }
      const state = async (at: unknown) => ({
        owner: await resultOf(ownerOf('1'), at),
        counts: [await resultOf(balanceOf(wallet), at), await resultOf(balanceOf(other), at)],
      })
      states.push(await state(byHash))
      expect(await state(hex(number))).toEqual(states.at(-1))
      expect(await state({ blockNumber: hex(number) })).toEqual(states.at(-1))
    }
    const state = (owner: string, ...counts: number[]) => ({
      owner: `0x${word(owner)}`,
      counts: counts.map((count) => `0x${word(count)}`),
    })
    expect(states).toEqual([state(wallet, 2, 0), state(other, 1, 1), state(other, 0, 1)])
    expect(await resultOf(balanceOf(wallet), 'latest')).toBe(`0x${word(0)}`)
    expect(await resultOf(balanceOf(wallet))).toBe(`0x${word(0)}`)
    expect(await resultOf(balanceOf(wallet), 'earliest')).toBe(`0x${word(2)}`)
  })

  test('reverts for a token without an owner, and for functions that it does not have', async () => {
    transfer(world, token('2'), { from: wallet }, start)
    clock.now = start + 2000
    for (const tokenId of ['2', '3']) {
      expect(await call(ownerOf(tokenId), 'latest')).toMatchObject({
        ...{ status: 200, error: { code: 3, message: /^execution reverted/ } },
      })
    }
    for (const message of [callOf('4e1273f4'), callOf('6352211e'), { to: contract }]) {
      expect((await call(message, 'latest')).error).toEqual({
        ...{ code: -32000, message: 'execution reverted' },
      })
    }
  })

  test('returns nothing for an address without a contract', async () => {
    expect(await resultOf({ ...ownerOf('1'), to: address('c9') }, 'latest')).toBe('0x')
  })

  test('knows no block that is not of the chain', async () => {
    const { result: block } = await rpc('eth_getBlockByNumber', ['latest', false])
    const { hash: blockHash } = block as { hash: string }
    expect(await resultOf(balanceOf(wallet), { blockHash })).toBe(`0x${word(2)}`)
    const canonical = { blockHash, requireCanonical: true }
    expect(await resultOf(balanceOf(wallet), canonical)).toBe(`0x${word(2)}`)
    const never = `0x${'1'.repeat(64)}`
    for (const at of [hex(start / 2000 + 1), { blockHash: never }]) {
      const { status, error } = await call(balanceOf(wallet), at)
      expect({ status, error }).toEqual({
        ...{ status: 200, error: { code: -32000, message: 'header not found' } },
      })
    }
    for (const at of ['1', 7, {}, null]) {
      expect((await call(balanceOf(wallet), at)).error?.code).toBe(-32602)
    }
  })

  test('answers each call of a batch', async () => {
    const batch = ['1', '3'].map((tokenId, id) => ({
      ...{ jsonrpc: '2.0', id, method: 'eth_call', params: [ownerOf(tokenId), 'latest'] },
    }))
    expect((await post('v2/any-key', batch)).json).toMatchObject([
      { id: 0, result: `0x${word(wallet)}` },
      { id: 1, error: { code: 3 } },
    ])
  })
})

describe('eth_call of an ERC-1155 contract', () => {
  const batchOf = (wallets: readonly string[], ids: readonly string[]) =>
    callOf(
      ...(['4e1273f4', 64, 96 + 32 * wallets.length] as const),
      ...[wallets.length, ...wallets, ids.length, ...ids],
    )

  beforeEach(() => {
    deploy(world, 'ERC1155')
    give(world, token('1'), wallet, 5n)
  })

  test('has the balances of a block', async () => {
    for (const amount of [2n, 1n]) {
      transfer(world, token('1'), { from: wallet, to: other, amount }, start)
    }
    clock.now = start + 2000
    const message = batchOf([wallet, other, other], ['1', '1', '2'])
    const balances = (...amounts: number[]) => `0x${[32, 3, ...amounts].map(word).join('')}`
    expect(await resultOf(message, hex(start / 2000))).toBe(balances(5, 0, 0))
    expect(await resultOf(message, 'latest')).toBe(balances(2, 3, 0))
  })

  test('reverts lists of different lengths, lists that end too early, and other functions', async () => {
    expect((await call(batchOf([wallet], []), 'latest')).error).toMatchObject({ code: 3 })
    for (const message of [callOf('4e1273f4', 64, 96, 9), ownerOf('1')]) {
      expect((await call(message, 'latest')).error?.code).toBe(-32000)
    }
  })
})
