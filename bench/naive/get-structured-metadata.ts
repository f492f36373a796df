import { playerNftsHandler } from './player-nfts.ts'

export const handler = playerNftsHandler((metadata) => {
  const { name = '', description = '', image = null, attributes = [] } = metadata
  return {
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
