import type { OwnedNft } from 'alchemy-sdk'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { allowlistOf } from './allowlist.ts'
import { nftsOf } from './indexer.ts'
import { playerOf } from './players.ts'
import { productOf } from './products.ts'

/** The NFTs that are in the player's wallets and allowlisted to the product. */
export async function playerNfts(event: APIGatewayProxyEventV2) {
  const { productId } = await productOf(event.headers)
  const player = await playerOf(event)
  const allowed = await allowlistOf(productId)
  const allowedKeys = new Set(allowed.map((nft) => `${nft.chain}/${nft.address}/${nft.tokenId}`))
  const found: { chain: string; address: string; owner: string; nft: OwnedNft }[] = []
  for (const chain of new Set(allowed.map((nft) => nft.chain))) {
    const onChain = allowed.filter((nft) => nft.chain === chain)
    const contracts = [...new Set(onChain.map(({ address }) => address))]
    for (const owner of player.wallets) {
      for (const nft of await nftsOf(chain, owner, contracts)) {
        const address = nft.contract.address.toLowerCase()
        if (!allowedKeys.has(`${chain}/${address}/${nft.tokenId}`)) continue
        found.push({ chain, address, owner, nft })
      }
    }
  }
  return found
}
