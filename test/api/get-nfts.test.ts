import { numbers, samples } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { allowlist } from '../support/requests/allowlists.ts'
import { entriesOf, productWith, readThrough } from '../support/requests/reading.ts'
import { newAddress, sharedService } from '../support/services/service.ts'

const service = sharedService()
const { call, newProduct } = service
const { gear, lanterns } = samples.collections

const nfts = async (apiKey: string, query: Record<string, string> = {}) =>
  await call('GET /product/nfts', { apiKey, query })

/** All NFTs, in pages of `limit`. */
const allNfts = async (apiKey: string, query: Record<string, string> = {}) =>
  entriesOf(await readThrough(service, 'GET /product/nfts', { apiKey, query }))

const tokenIdsOf = (entries: readonly { tokenId: string }[]) =>
  entries.map(({ tokenId }) => tokenId)

describe('D60: get allowed NFTs with metadata', () => {
  test('D60: a new product has none', async () => {
    expect((await nfts(await newProduct())).json).toEqual({ data: [], success: true })
  })

  test('D28, D60: an entry has the structured metadata of its NFT, and no owner', async () => {
    const apiKey = await productWith(service, { ...gear, tokenIds: ['2'] })
    const { playerToken } = await service.newPlayer(samples.players.threeWallets.wallets)
    const { json } = await nfts(apiKey)
    const [owned] = (await call('GET /player/tokens', { apiKey, playerToken })).json.data
    const { owner: _, balance: __, ...described } = owned
    expect(json).toEqual({ data: [described], success: true })
    expect(described.formattedMetadata.name).not.toBe('')
  })

  test('D26, D60: a single identifier without an NFT is listed with the reason', async () => {
    const address = newAddress()
    const apiKey = await productWith(service, { chain: 'BSC', address, tokenIds: ['9'] })
    expect((await nfts(apiKey)).json.data).toEqual([
      {
        tokenId: '9',
        address,
        chain: 'BSC',
        metadataLink: '',
        metadataError: 'not_available',
        formattedMetadata: { name: '', description: '', image: null, attributes: [] },
      },
    ])
  })

  test('D60: `*` lists the 10,000 lanterns that exist, and the cursor starts anywhere in them', async () => {
    const apiKey = await productWith(service, { ...lanterns, tokenIds: ['*'] })
    const first = await nfts(apiKey, { limit: '3' })
    const second = await nfts(apiKey, { limit: '3', cursor: first.json.nextCursor })
    const entries = [...first.json.data, ...second.json.data]
    expect(tokenIdsOf(entries)).toEqual(['1', '2', '3', '4', '5', '6'])
    const far = Buffer.from(`POLYGON/${lanterns.address}/9998`).toString('base64url')
    const last = await nfts(apiKey, { cursor: far })
    expect(last.json.nextCursor).toBeUndefined()
    expect(tokenIdsOf(last.json.data)).toEqual(['9999', '10000'])
  })

  test('D18, D60: contracts of ranges and singles, in pages of 7', async () => {
    const apiKey = await productWith(
      service,
      { ...lanterns, tokenIds: ['1', '390..396', '20000', '25000..26000'] },
      { ...gear, tokenIds: ['5', '9..12', '999'] },
    )
    const entries = await allNfts(apiKey, { limit: '7' })
    const expected = [
      ...['5', '9', '10', '11', '12', '999'].map((tokenId) => [gear.address, tokenId]),
      ...['1', ...numbers(390, 396), '20000'].map((tokenId) => [lanterns.address, tokenId]),
    ]
    const listed = entries.map(({ address, tokenId }) => [address, tokenId])
    expect(listed).toEqual(expected)
  })

  test('D60: chain and contractAddress filter the list', async () => {
    const [apiKey, both, other] = [await newProduct(), newAddress(), newAddress()]
    for (const [chain, contractAddress] of [
      ['BSC', both],
      ['POLYGON', both],
      ['POLYGON', other],
    ] as const) {
      await allowlist(call, apiKey, { chain, contractAddress, tokens: ['1'] })
    }
    const contracts = async (query: Record<string, string>) =>
      (await nfts(apiKey, query)).json.data.map(({ chain, address }: Record<string, string>) => [
        chain,
        address,
      ])
    expect(await contracts({ contractAddress: both })).toEqual([
      ['BSC', both],
      ['POLYGON', both],
    ])
    expect(await contracts({ contractAddress: both, chain: 'BSC' })).toEqual([['BSC', both]])
    expect(await contracts({ chain: 'BSC' })).toEqual([['BSC', both]])
    expect(await contracts({ contractAddress: newAddress() })).toEqual([])
    expect(await contracts({ contractAddress: newAddress(), chain: 'BSC' })).toEqual([])
  })
})
