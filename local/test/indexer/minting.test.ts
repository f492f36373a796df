import { expect, test } from 'vitest'
import { give } from '../../indexer/holdings.ts'
import {
  address,
  contract,
  deploy,
  type Nft,
  other,
  polygon,
  startIndexerForTests,
  token,
  wallet,
} from './indexer-calls.ts'

const { page, world, clock, rpc } = await startIndexerForTests()

const mint = (minting: object) => rpc('sample_mint', [{ contractAddress: contract, ...minting }])

const held = async (owner: string) =>
  (await page({ owner })).ownedNfts.map(({ tokenId, balance }) => `${balance} of ${tokenId}`)

test('a minted NFT is in the wallet, with its document', async () => {
  deploy(world, 'ERC721')
  expect((await mint({ to: wallet })).result).toEqual({ tokenId: '4' })
  expect((await mint({ to: other })).result).toEqual({ tokenId: '5' })
  expect(await held(wallet)).toEqual(['1 of 4'])
  const [nft] = (await page({ owner: other })).ownedNfts as (Nft & {
    contract: { totalSupply: string }
  })[]
  expect(nft?.raw).toMatchObject({ metadata: { name: 'New 5' }, error: null })
  expect(nft?.contract.totalSupply).toBe('5')
  expect(nft?.timeLastUpdated).toBe(new Date(clock.now).toISOString())
})

test('the next identifier is free, also after identifiers of choice', async () => {
  deploy(world, 'ERC721')
  expect((await mint({ to: wallet, tokenId: '0x6' })).result).toEqual({ tokenId: '6' })
  expect((await mint({ to: wallet })).result).toEqual({ tokenId: '5' })
  expect((await mint({ to: wallet })).result).toEqual({ tokenId: '7' })
  expect(await held(wallet)).toEqual(['1 of 5', '1 of 6', '1 of 7'])
})

test('a token of ERC-721 is minted once, and a token of ERC-1155 again', async () => {
  deploy(world, 'ERC721')
  expect((await mint({ to: wallet, tokenId: '3' })).error?.message).toBe('Token 3 exists already')
  world[polygon].collections.clear()
  deploy(world, 'ERC1155')
  await mint({ to: wallet, tokenId: '3' })
  await mint({ to: wallet, tokenId: '3' })
  expect(await held(wallet)).toEqual(['2 of 3'])
})

test.each([
  [{ to: '0x12' }, 'to must be a valid address'],
  [{ to: wallet, contractAddress: other }, `No contract is at ${other}`],
  [{ to: wallet, tokenId: 'x' }, 'tokenId must be a valid token identifier'],
  [{ to: wallet, tokenId: `${2n ** 256n}` }, 'tokenId must be a valid token identifier'],
])('%j is an error', async (minting, message) => {
  deploy(world, 'ERC721')
  expect((await mint(minting)).error).toEqual({ code: -32602, message })
  expect(await held(wallet)).toEqual([])
})

test('a contract without documents for new NFTs mints none', async () => {
  deploy(world, 'ERC721', false)
  expect((await mint({ to: wallet })).error?.message).toBe('Minted has no further NFTs to mint')
})

const move = (moving: object) =>
  rpc('sample_move', [
    { contractAddress: contract, from: wallet, to: other, tokenId: '1', ...moving },
  ])

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
