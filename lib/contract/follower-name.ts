import type { Chain } from '../domain/nft/chain.ts'

/** The function that follows chains (D66). It is no operation of the API. */
export const followerName = 'follow-chain'

/** The name of the function that follows a chain. All followers have one file. */
export const followerNameOf = (chain: Chain): string =>
  `${followerName}-${chain.toLowerCase().replaceAll('_', '-')}`
