/** The compute units that Alchemy bills for each call; docs/costs.md#sources has their source. */
export const computeUnits = {
  getNFTsForOwner: 480,
  getNFTMetadataBatch: 480,
  getNFTsForContract: 480,
  getOwnersForContract: 480,
  alchemy_getTokenBalances: 20,
  eth_call: 26,
  eth_getBlockByNumber: 20,
  eth_getLogs: 60,
} as const
