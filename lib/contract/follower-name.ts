import type { Chain } from '../domain/nft/chain.ts'

/** The function file that follows chains (D66), without its ending. It is not in the route table. */
export const followerName = 'follow-chain'

/** The name of the function that follows a chain. All followers have one file. */
export const followerNameOf = (chain: Chain): string =>
  `${followerName}-${chain.toLowerCase().replaceAll('_', '-')}`
