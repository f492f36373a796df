import { describe, expect, test } from 'vitest'
import { indexerUrls } from '../../../lib/adapters/alchemy/indexer-call.ts'
import type { Chain, CoveredChain } from '../../../lib/domain/nft/chain.ts'
import { always, contract, inTime, owner, pageJson, stubIndexer } from './alchemy-stub.ts'

describe('D56: chains', () => {
  // The names in Alchemy's documentation, beside the table of the code.
  const networks: Record<CoveredChain, string> = {
    AMOY: 'polygon-amoy',
    ARBITRUM: 'arb-mainnet',
    ARBITRUM_SEPOLIA: 'arb-sepolia',
    AVALANCHE: 'avax-mainnet',
    BASE: 'base-mainnet',
    BASE_SEPOLIA: 'base-sepolia',
    BSC: 'bnb-mainnet',
    ETHEREUM: 'eth-mainnet',
    FUJI: 'avax-fuji',
    OPTIMISM: 'opt-mainnet',
    OPTIMISM_SEPOLIA: 'opt-sepolia',
    POLYGON: 'polygon-mainnet',
    RONIN: 'ronin-mainnet',
    SAIGON: 'ronin-saigon',
    SEPOLIA: 'eth-sepolia',
  }

  test.each(Object.entries(networks) as [Chain, string][])('%s is %s', async (chain, network) => {
    const { indexer, requests } = await stubIndexer(always(pageJson([])))
    await indexer.ownedNfts({ chain, owner, contracts: [contract], deadline: inTime() })
    expect(requests[0]?.path).toMatch(`/${network}/`)
  })

  test('without another host, the URLs are Alchemy’s own', () => {
    expect(indexerUrls('POLYGON', 'a/b', undefined)).toEqual({
      nft: 'https://polygon-mainnet.g.alchemy.com/nft/v3/a%2Fb',
      jsonRpc: 'https://polygon-mainnet.g.alchemy.com/v2/a%2Fb',
    })
  })

  test.each<Chain>(['MUMBAI', 'BSC_TESTNET'])('%s causes no call', async (chain) => {
    const { indexer, requests } = await stubIndexer(always(pageJson([])))
    const asking = indexer.ownedNfts({
      chain,
      owner,
      contracts: [contract],
      deadline: inTime(),
    })
    await expect(asking).rejects.toThrow(RangeError)
    expect(requests).toHaveLength(0)
  })
})
