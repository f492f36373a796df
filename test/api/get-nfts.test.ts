import { samples } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { allowlist } from '../support/requests/allowlists.ts'
import { productWith } from '../support/requests/reading.ts'
import { newAddress, sharedService } from '../support/services/service.ts'

const service = sharedService()
const { call, newProduct } = service
const { gear, lanterns } = samples.collections

const nfts = async (apiKey: string, query: Record<string, string> = {}) =>
  await call('GET /product/nfts', { apiKey, query })

const tokenIdsOf = (entries: readonly { tokenId: string }[]) =>
  entries.map(({ tokenId }) => tokenId)

describe('D60: get allowed NFTs with metadata', () => {
  test('D28, D60: an entry has the structured metadata of its NFT, and no owner', async () => {
    const apiKey = await productWith(service, { ...gear, tokenIds: ['2'] })
    const { playerToken } = await service.newPlayer(samples.players.threeWallets.wallets)
    const { json } = await nfts(apiKey)
    const [owned] = (await call('GET /player/tokens', { apiKey, playerToken })).json.data
    const { owner: _, balance: __, ...described } = owned
    expect(json).toEqual({ data: [described], success: true })
    expect(described.formattedMetadata.name).not.toBe('')
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
