import { expect, test } from 'vitest'
import { give } from '../../../local/indexer/holdings.ts'
import {
  address,
  contract,
  deploy,
  other,
  polygon,
  startIndexerForTests,
  wallet,
} from './indexer-calls.ts'

const { clock, page, rpc, world } = await startIndexerForTests()
const token = (tokenId: string) => ({ network: polygon, address: contract, tokenId }) as const

const move = (moving: object) =>
  rpc('sample_move', [
    { contractAddress: contract, from: wallet, to: other, tokenId: '1', ...moving },
  ])

const held = async (owner: string) =>
  (await page({ owner })).ownedNfts.map(({ tokenId, balance }) => `${balance} of ${tokenId}`)

test('an NFT is in the other wallet at once, and the next block has its event', async () => {
  deploy(world, 'ERC721')
  give(world, token('1'), wallet)
  expect((await move({ tokenId: '0x1' })).result).toEqual({ from: wallet, tokenId: '1' })
  expect([await held(wallet), await held(other)]).toEqual([[], ['1 of 1']])
  clock.now += 2000
  expect((await rpc('eth_getLogs', [{}])).result).toHaveLength(1)
})

test('the first of several wallets that holds enough is taken', async () => {
  deploy(world, 'ERC1155')
  give(world, token('1'), wallet, 2n)
  give(world, token('1'), address('a3'), 9n)
  const moved = await move({ from: [address('a4'), wallet, address('a3')], amount: '3' })
  expect(moved.result).toEqual({ from: address('a3'), tokenId: '1' })
  expect([await held(wallet), await held(address('a3')), await held(other)]).toEqual([
    ['2 of 1'],
    ['6 of 1'],
    ['3 of 1'],
  ])
})

test.each([
  [{ from: [] }, 'from must name a wallet'],
  [{ from: 'x' }, 'from must be a valid address'],
  [{ to: undefined }, 'to must be a valid address'],
  [{ tokenId: 'x' }, 'tokenId must be a valid token identifier'],
  [{ amount: '0' }, 'amount must be a positive number'],
  [{ amount: '2' }, 'amount must be 1, because there is one of each token of ERC-721'],
  [{ contractAddress: other }, `There is no contract at ${other}`],
  [{ from: [other, address('a4')] }, 'None of the wallets holds 1 of token 1'],
  [{ from: other }, `${other} does not hold 1 of token 1`],
])('%j is an error', async (moving, message) => {
  deploy(world, 'ERC721')
  give(world, token('1'), wallet)
  const { status, error } = await move(moving)
  expect({ status, code: error?.code }).toEqual({ status: 400, code: -32602 })
  expect(error?.message).toContain(message)
  expect(await held(wallet)).toEqual(['1 of 1'])
})
