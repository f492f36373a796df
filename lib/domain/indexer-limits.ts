/** The most contracts that the indexer takes in one call. */
export const maxContractsPerCall = 45

/** The most NFTs that the indexer returns, or describes, in one call. */
export const maxNftsPerCall = 100
