import { handlerOf } from '../http.ts'
import { playerNfts } from '../player-nfts.ts'

export const handler = handlerOf(async (event) => {
  const found = await playerNfts(event)
  return found.map(({ chain, address, owner, nft }) => ({
    tokenId: nft.tokenId,
    address,
    chain,
    owner,
    balance: nft.balance,
    metadataLink: nft.tokenUri ?? '',
    rawMetadata: nft.raw.metadata,
  }))
})
