import { describe, expect, onTestFinished, test } from 'vitest'
import { alchemyIndexer } from '../../../lib/adapters/alchemy/alchemy-indexer.ts'
import { parseTokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { OwnedNft } from '../../../lib/domain/nft/owned-nft.ts'
import { give, ownedBy } from '../../../local/indexer/holdings.ts'
import { startIndexerServer } from '../../../local/indexer/indexer-server.ts'
import { createWorld, setBalance, type World } from '../../../local/indexer/world.ts'
import { numbers } from '../../../local/samples/samples.ts'
import { contract, elsewhere, inTime, onBsc, owner } from './alchemy-stub.ts'

const place = { network: 'bnb-mainnet', address: contract } as const

async function serve(world: World) {
  const server = await startIndexerServer({ world })
  onTestFinished(() => server.close())
  const indexer = alchemyIndexer(async () => 'key', { baseUrl: server.url })
  return { indexer, requests: server.requests }
}

describe('against the sample indexer', () => {
  test('a wallet of 250 NFTs is read in three pages, complete and in order', async () => {
    const world = createWorld()
    const metadata = (tokenId: string) => `{ "10": ${tokenId}.0, "2": null }`
    ownedBy(world, { ...place, tokenType: 'ERC1155' }, owner, numbers(1, 250), { metadata })
    ownedBy(world, { ...place, address: elsewhere }, owner, numbers(1, 250))
    give(world, { ...place, tokenId: '3' }, owner, 41n)
    const { indexer, requests } = await serve(world)
    const found: OwnedNft[] = []
    let pageKey: string | undefined
    do {
      const page = await indexer.ownedNfts({
        chain: 'BSC',
        owner,
        contracts: [contract],
        ...(pageKey && { pageKey }),
        deadline: inTime(),
      })
      found.push(...page.nfts)
      pageKey = page.pageKey
    } while (pageKey)
    expect(requests.get('getNFTsForOwner')).toBe(3)
    expect(found).toEqual(
      numbers(1, 250).map((tokenId) => ({
        ...onBsc,
        tokenId,
        owner,
        balance: tokenId === '3' ? '42' : '1',
        metadataLink: `https://metadata.example/${contract}/${tokenId}`,
        metadata: { text: metadata(tokenId) },
      })),
    )
  })

  test('metadata and a balance', async () => {
    const world = createWorld()
    ownedBy(world, place, owner, ['1', '2'])
    setBalance(world, { ...place, wallet: owner }, 10n ** 30n)
    const { indexer } = await serve(world)
    const tokenIds = ['2', '0x1'].flatMap((text) => parseTokenId(text) ?? [])
    const nfts = await indexer.metadata({
      contract: onBsc,
      tokenIds,
      fromSource: true,
      deadline: inTime(),
    })
    expect(nfts.map(({ metadata }) => metadata.text)).toEqual([
      '{"name":"Token 2"}',
      '{"name":"Token 1"}',
    ])
    expect(await indexer.balance({ token: onBsc, owner, deadline: inTime() })).toBe(10n ** 30n)
  })
})
