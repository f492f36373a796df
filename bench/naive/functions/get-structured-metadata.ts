import { handlerOf } from '../http.ts'
import { playerNfts } from '../player-nfts.ts'

export const handler = handlerOf(async (event) => {
  const found = await playerNfts(event)
  return found.map(({ chain, address, owner, nft }) => {
    const { name = '', description = '', image = null, attributes = [] } = nft.raw.metadata
    return {
      tokenId: nft.tokenId,
      address,
      chain,
      owner,
      balance: nft.balance,
      metadataLink: nft.tokenUri ?? '',
      formattedMetadata: {
        name,
        description,
        image,
        attributes: attributes.map((one: Record<string, unknown>) => ({
          name: one['name'] ?? one['trait_type'],
          value: String(one['value']),
        })),
      },
    }
  })
})
