/** The maximum number of token identifiers in one allowlisting request (D16). */
export const maxTokenIdsPerAllowlisting = 10_000

/** The maximum number of contracts connected to a product (D16). */
export const maxContractsPerProduct = 500

/** The maximum number of contracts in one response (D37). */
export const maxContractsPerPage = 100

/** The number up to which the NFTs of a contract are counted for one response (D37). */
export const maxCountedNfts = 1_000

/** The maximum number of token identifiers in one unbinding request with a query (D20). */
export const maxTokenIdsPerUnbinding = 1_000

/** The maximum number of token identifiers in one unbinding request with a body (D50). */
export const maxTokenIdsPerUnbindingList = 10_000

/** The maximum number of entries in one response of the allowlist (D18). */
export const maxAllowedNftsPerPage = 10_000

/** The maximum number of NFTs in one response with their metadata (D60). */
export const maxNftsPerPage = 100

/** The maximum number of ranges on the allowlist of a contract, and of all contracts of a product (D57). */
export const maxRangesPerContract = 100
export const maxRangesPerProduct = 2_000

/** The maximum number of single token identifiers that unbinding ranges removes in one request (D57). */
export const maxTokenIdsInUnboundRanges = 10_000
