import { playerNftsHandler } from './player-nfts.ts'

export const handler = playerNftsHandler((rawMetadata) => ({ rawMetadata }))
