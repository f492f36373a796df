/**
 * A public collection and a public wallet on a real chain, for the first read with a key of one's own: for what `npm start`
 * prints, and for any test that asks the real indexer. From here, nobody has asked it.
 */
export const publicNfts = {
  chain: 'POLYGON',
  /** The positions of Uniswap v3 (docs.uniswap.org, NonFungiblePositionManager Contract): their metadata is on the chain itself. */
  contractAddress: '0xc36442b4a4522e871399cd717abdd847ab11fe88',
  contractDescription: 'Uniswap V3 positions',
  /** Nobody has its key: who gives up a position for ever sends it there, and it stays. */
  wallet: '0x000000000000000000000000000000000000dead',
} as const
