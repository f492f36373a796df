/** The most contracts that the indexer takes in one call. */
export const maxContractsPerCall = 45

/**
 * The longest page key of the indexer, in bytes of JSON: its cursor then fits the 4,096 characters of the
 * parameter, and the 10,240 bytes that API Gateway allows for request line and headers (D3, D39).
 */
export const maxPageKeyBytes = 2_048

/** The most NFTs that the indexer returns, or describes, in one call. */
export const maxNftsPerCall = 100
