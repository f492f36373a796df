import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { give, ownedBy, take } from '../../indexer/holdings.ts'
import { pageKeyLifetimeMs } from '../../indexer/page-keys.ts'
import {
  address,
  contract,
  numbered,
  other,
  polygon,
  startIndexerForTests,
  wallet,
} from './indexer-calls.ts'

const { allPages, clock, indexer, page, refused, world } = await startIndexerForTests()
const refusedPageKey = 'Page key is not found or expired, please try again with a valid page key'

describe('getNFTsForOwner', () => {
  test('returns each NFT once, over all pages, in the order of address and token identifier', async () => {
    ownedBy(world, { network: polygon, address: address('c2') }, wallet, numbered(130).reverse())
    ownedBy(world, { network: polygon, address: contract }, wallet, ['10', '9', String(2n ** 255n)])
    ownedBy(world, { network: polygon, address: address('c3') }, wallet, numbered(70))
    const pages = await allPages({ owner: wallet })
    expect(pages.map(({ ownedNfts }) => ownedNfts.length)).toEqual([100, 100, 3])
    expect(pages.map(({ totalCount }) => totalCount)).toEqual([203, 203, 203])
    const given = pages.flatMap(({ ownedNfts }) => ownedNfts)
    expect(given.map((nft) => `${nft.contract.address.toLowerCase()}/${nft.tokenId}`)).toEqual([
      ...['9', '10', String(2n ** 255n)].map((tokenId) => `${contract}/${tokenId}`),
      ...numbered(130).map((tokenId) => `${address('c2')}/${tokenId}`),
      ...numbered(70).map((tokenId) => `${address('c3')}/${tokenId}`),
    ])
    expect(indexer.requests.get('getNFTsForOwner')).toBe(3)
  })

  test.each([1, 2, 3, 4, 5, 6, 7])('ends with the last NFT at page size %i', async (pageSize) => {
    ownedBy(world, { network: polygon, address: contract }, wallet, numbered(3))
    ownedBy(world, { network: polygon, address: address('c2') }, wallet, numbered(3))
    const pages = await allPages({ owner: wallet, pageSize: String(pageSize) })
    expect(pages).toHaveLength(Math.ceil(6 / pageSize))
    expect(pages.flatMap(({ ownedNfts }) => ownedNfts)).toHaveLength(6)
  })

  test('skips and repeats no NFT while other NFTs change owners', async () => {
    ownedBy(world, { network: polygon, address: contract }, wallet, numbered(10))
    const first = await page({ owner: wallet, pageSize: '4' })
    for (const tokenId of ['1', '3']) {
      const nft = { network: polygon, address: contract, tokenId } as const
      take(world, nft, wallet)
      give(world, nft, other)
    }
    const rest = await page({ owner: wallet, pageSize: '100', pageKey: first.pageKey ?? '' })
    expect(rest.ownedNfts.map(({ tokenId }) => tokenId)).toEqual(['4', '5', '6', '7', '8', '9'])
    expect((await page({ owner: wallet })).totalCount).toBe(8)
    expect((await page({ owner: wallet })).ownedNfts).toHaveLength(8)
    expect((await page({ owner: other })).ownedNfts.map(({ tokenId }) => tokenId)).toEqual([
      '1',
      '3',
    ])
  })

  test('filters by contracts in any case, and returns the whole wallet without a filter', async () => {
    const lettered = `0x${'ab'.repeat(20)}`
    for (const one of [lettered, contract, address('c2')]) {
      ownedBy(world, { network: polygon, address: one }, wallet, ['1', '2'])
    }
    const upper = `0x${'AB'.repeat(20)}`
    const filtered = await page({
      owner: wallet.toUpperCase().replace('0X', '0x'),
      'contractAddresses[]': [upper, contract, upper],
    })
    expect(filtered.totalCount).toBe(4)
    expect(new Set(filtered.ownedNfts.map((nft) => nft.contract.address.toLowerCase()))).toEqual(
      new Set([contract, lettered]),
    )
    expect((await page({ owner: wallet })).totalCount).toBe(6)
    expect((await page({ owner: wallet, 'contractAddresses[]': address('c9') })).totalCount).toBe(0)
    expect((await page({ owner: wallet }, 'bnb-mainnet')).totalCount).toBe(0)
  })

  test('returns contracts with their EIP-55 checksum, as Alchemy does', async () => {
    // The first example of EIP-55.
    const spelled = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    ownedBy(world, { network: polygon, address: spelled.toLowerCase() }, wallet, ['1'])
    expect((await page({ owner: wallet })).ownedNfts[0]?.contract.address).toBe(spelled)
  })

  test('returns balances of ERC-1155 tokens', async () => {
    const nft = { network: polygon, address: contract, tokenId: '5' } as const
    ownedBy(world, { ...nft, tokenType: 'ERC1155' }, wallet, ['5'], { amount: 10n ** 30n })
    take(world, nft, wallet, 1n)
    const balance = '9'.repeat(30)
    expect((await page({ owner: wallet })).ownedNfts[0]).toMatchObject({
      balance,
      tokenType: 'ERC1155',
    })
    take(world, nft, wallet, BigInt(balance))
    expect(await page({ owner: wallet })).toMatchObject({
      ownedNfts: [],
      totalCount: 0,
      pageKey: null,
    })
    expect(() => take(world, nft, wallet)).toThrow(RangeError)
  })

  test('accepts at most 45 contracts and pages of 1 to 100', async () => {
    const contracts = (count: number) => numbered(count).map((one) => address(`c${one}`))
    const many = { owner: wallet, 'contractAddresses[]': contracts(46) }
    expect(await refused('getNFTsForOwner', many)).toEqual({
      status: 400,
      message: 'Contract address filter size of: 46 is greater than the maximum allowed of: 45!',
    })
    await page({ owner: wallet, 'contractAddresses[]': contracts(45) })
    for (const pageSize of ['0', '101', '-1', '1.5', 'ten', '']) {
      expect(await refused('getNFTsForOwner', { owner: wallet, pageSize })).toMatchObject({
        status: 400,
      })
    }
  })

  test('accepts a page key only for its query, and for ten minutes', async () => {
    for (const one of [contract, address('c2')]) {
      ownedBy(world, { network: polygon, address: one }, wallet, numbered(3))
    }
    const query = { owner: wallet, pageSize: '2', 'contractAddresses[]': [contract, address('c2')] }
    const pageKey = (await page(query)).pageKey ?? ''
    const refusal = { status: 400, message: refusedPageKey }
    await page({ ...query, pageKey, pageSize: '3' })
    await page({ ...query, pageKey, 'contractAddresses[]': [address('c2'), contract] })
    expect(await refused('getNFTsForOwner', { ...query, pageKey, owner: other })).toEqual(refusal)
    expect(await refused('getNFTsForOwner', { owner: wallet, pageKey })).toEqual(refusal)
    expect(await refused('getNFTsForOwner', { ...query, pageKey }, 'polygon-amoy')).toEqual(refusal)
    for (const bad of ['x', `${pageKey}x`, `x${pageKey}`, pageKey.slice(1), 'é'.repeat(80)]) {
      expect(await refused('getNFTsForOwner', { ...query, pageKey: bad })).toEqual(refusal)
    }
    clock.now += pageKeyLifetimeMs - 1
    await page({ ...query, pageKey })
    clock.now += 1
    expect(await refused('getNFTsForOwner', { ...query, pageKey })).toEqual(refusal)
  })
})

describe('malformed calls', () => {
  test('have the status 400, 401, 404, 405 or 413 and a reason, and do not stop the server', async () => {
    const { url } = indexer
    const nft = `${url}/${polygon}/nft/v3`
    const calls: [number, string, RequestInit?][] = [
      [404, `${url}/`],
      [404, `${url}/bnb-testnet/nft/v3/k/getNFTsForOwner?owner=${wallet}`],
      [404, `${url}/bnb-testnet/v2/k`, { method: 'POST', body: '{}' }],
      [404, `${url}/${polygon}/nft/v2/k/getNFTs`],
      [404, `${nft}/k/getOwners`],
      [404, `${nft}/k/__proto__`],
      [401, `${nft}//getNFTsForOwner?owner=${wallet}`],
      [401, `${url}/${polygon}/v2/`, { method: 'POST', body: '{}' }],
      [405, `${nft}/k/getNFTMetadataBatch`],
      [405, `${nft}/k/getNFTsForOwner?owner=${wallet}`, { method: 'POST', body: '{}' }],
      [405, `${url}/${polygon}/v2/k`],
      [400, `${nft}/k/getNFTsForOwner`],
      [400, `${nft}/k/getNFTsForOwner?owner=vitalik.eth`],
      [400, `${nft}/k/getNFTsForOwner?owner=${wallet}&contractAddresses[]=`],
      [400, `${nft}/k/getNFTsForOwner?owner=%`],
      [400, `${nft}/k/getNFTsForContract?contractAddress=${contract}&startToken=-1`],
      [400, `${nft}/k/getNFTsForContract?contractAddress=${contract}&startToken=${2n ** 256n}`],
      [413, `${nft}/k/getNFTMetadataBatch`, { method: 'POST', body: 'x'.repeat(8_000_000) }],
    ]
    const token = { contractAddress: contract, tokenId: 1.5 }
    const odd = { toString: 1, valueOf: 2 }
    for (const body of [
      '',
      '{',
      'null',
      '[]',
      '{}',
      '{"tokens":{}}',
      '{"tokens":[1]}',
      '{"tokens":[{}]}',
    ]) {
      calls.push([400, `${nft}/k/getNFTMetadataBatch`, { method: 'POST', body }])
    }
    for (const body of [{ tokens: [token] }, { tokens: [odd] }]) {
      const sent = { method: 'POST', body: JSON.stringify(body) }
      calls.push([400, `${nft}/k/getNFTMetadataBatch`, sent])
    }
    for (const [status, target, init] of calls) {
      const response = await fetch(target, init)
      expect([target, response.status]).toEqual([target, status])
      expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } })
    }
  })

  test('that are incomplete do not stop the server', async () => {
    const socket = connect(Number(new URL(indexer.url).port), '127.0.0.1')
    socket.write(
      'POST /polygon-mainnet/v2/k HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"id":',
    )
    await once(socket, 'connect')
    socket.resetAndDestroy()
    await once(socket, 'close')
    await page({ owner: wallet })
  })
})
