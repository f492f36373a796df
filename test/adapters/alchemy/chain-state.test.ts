import { describe, expect, test } from 'vitest'
import { tokenIdOf } from '../../../lib/domain/allowlist/token-id.ts'
import { toAddress } from '../../../lib/domain/nft/address.ts'
import { downstreamCalls } from '../../../lib/observability/downstream-calls.ts'
import { apiKey, contract, failureOf, inTime, onBsc, stubIndexer } from './alchemy-stub.ts'
import { alice, askState, block, bob, byCall, type Call, reverted, word } from './rpc-json.ts'

const id = (number: bigint | number) => tokenIdOf(BigInt(number))
const ids = (count: number) => Array.from({ length: count }, (_, index) => id(index))
const digits = (text: string) => word(text).slice(2)

describe('what a contract says at a block', () => {
  test('is asked for in batches of 100 calls, by the hash of the block', async () => {
    const { chainState, requests } = await stubIndexer(byCall(() => word(alice)))
    const counts = await downstreamCalls.during(async () => {
      const owners = await chainState.ownersOf({ ...askState(), tokenIds: ids(205) })
      expect(owners).toEqual(Array(205).fill(alice))
      return downstreamCalls.counts()
    })
    const batches = requests.map(({ body }): Call[] => JSON.parse(body))
    expect(batches.map(({ length }) => length)).toEqual([100, 100, 5])
    expect(requests[0]?.path).toBe(`/bnb-mainnet/v2/${encodeURIComponent(apiKey)}`)
    expect(batches[2]?.[4]).toEqual({
      ...{ jsonrpc: '2.0', id: 4, method: 'eth_call' },
      params: [
        { to: contract, data: `0x6352211e${digits((204).toString(16))}` },
        { blockHash: block.hash, requireCanonical: true },
      ],
    })
    expect(counts).toEqual({ indexerCalls: 3, indexerFailures: 0, indexerUnits: 205 * 26 })
  })

  test('is asked for nothing if nothing is wanted', async () => {
    const { chainState, requests } = await stubIndexer(byCall(() => '0x'))
    expect(await chainState.ownersOf({ ...askState(), tokenIds: [] })).toEqual([])
    expect(await chainState.countsOf({ ...askState(), wallets: [] })).toEqual([])
    expect(await chainState.balancesOf({ ...askState(), pairs: [] })).toEqual([])
    expect(requests).toEqual([])
  })

  test.each<[string, unknown, unknown]>([
    ['an owner', word('0xA1A1'), toAddress(`0x${'0'.repeat(36)}a1a1`)],
    ['the zero address', word('0'), null],
    ['nothing', '0x', null],
    ['a revert with a reason', reverted(3, 'execution reverted: ERC721: invalid token ID'), null],
    ['a revert without words', reverted(3, ''), null],
    ['a revert without a code of its own', reverted(-32000, 'Execution reverted'), null],
  ])('is the owner of a token: %s', async (_, answer, expected) => {
    const { chainState } = await stubIndexer(
      byCall((_data, index) => (index === 1 ? answer : word(bob))),
    )
    expect(await chainState.ownersOf({ ...askState(), tokenIds: ids(3) })).toEqual([
      bob,
      expected,
      bob,
    ])
  })

  test('is the same in any order of the responses', async () => {
    const { chainState } = await stubIndexer(
      byCall((_data, index) => word(index === 0 ? alice : bob), { isReversed: true }),
    )
    expect(await chainState.ownersOf({ ...askState(), tokenIds: ids(2) })).toEqual([alice, bob])
  })

  test('is the number of tokens of a wallet', async () => {
    const { chainState } = await stubIndexer(
      byCall((data) => (data === `0x70a08231${digits(alice)}` ? word('f') : `0x${'f'.repeat(64)}`)),
    )
    expect(await chainState.countsOf({ ...askState(), wallets: [alice, bob] })).toEqual([
      15n,
      2n ** 256n - 1n,
    ])
  })

  test('is the balance of each pair, of which a call has up to 100', async () => {
    const { chainState, requests } = await stubIndexer(
      byCall((data) => {
        const count = (data.length - 10) / 64 / 2 - 2
        const amounts = data.slice(-64 * count)
        return `0x${digits('20')}${digits(count.toString(16))}${amounts}`
      }),
    )
    const pairs = ids(2_101).map((tokenId) => ({ wallet: alice, tokenId }))
    expect(await chainState.balancesOf({ ...askState(), pairs })).toEqual(
      pairs.map(({ tokenId }) => BigInt(tokenId)),
    )
    const batches = requests.map(({ body }): Call[] => JSON.parse(body))
    expect(batches.map(({ length }) => length)).toEqual([20, 2])
    const [alone] = batches[1]?.at(-1)?.params ?? []
    const words = ['40', '80', '1', alice, '1', (2_100).toString(16)]
    expect(alone?.data).toBe(`0x4e1273f4${words.map(digits).join('')}`)
  })
})

describe('the standard that a contract follows', () => {
  const standardOf = async (answer: (interfaceId: string) => unknown) => {
    const { chainState, requests } = await stubIndexer(
      byCall((data) => answer(data.slice('0x01ffc9a7'.length))),
    )
    const standard = await chainState.standardOf(onBsc, inTime())
    const [first] = requests.map(({ body }): Call[] => JSON.parse(body))
    return { standard, blocks: first?.map(({ params }) => params[1]) }
  }
  const [erc721, erc1155] = ['80ac58cd', 'd9b67a26'].map((id) => id.padEnd(64, '0'))
  const supports =
    (...ids: unknown[]) =>
    (id: string) =>
      word(ids.includes(id) ? '1' : '0')

  test.each([
    ['ERC721', supports(erc721)],
    ['ERC1155', supports(erc1155)],
    ['ERC721', supports(erc721, erc1155)],
    [undefined, supports()],
    // No contract, one without the function, and what is no answer to it.
    [undefined, () => '0x'],
    [undefined, () => reverted(-32000, 'execution reverted')],
    [undefined, () => reverted(-32000, 'invalid opcode: INVALID')],
    [undefined, () => word('2')],
  ])('is %s', async (expected, answer) => {
    expect(await standardOf(answer)).toEqual({ standard: expected, blocks: ['latest', 'latest'] })
  })

  test('is not known while the node fails', async () => {
    await failureOf(standardOf(() => reverted(-32005, 'too many requests')))
    await failureOf(standardOf(() => reverted(-32602, 'invalid argument')))
  })
})
