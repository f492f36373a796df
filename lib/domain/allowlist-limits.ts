/** The maximum number of token identifiers in one allowlisting request (D16). */
export const maxTokenIdsPerAllowlisting = 10_000

/** The maximum number of contracts connected to a product (D16). */
export const maxContractsPerProduct = 500

/** The maximum number of token identifiers in one unbinding request (D20). */
export const maxTokenIdsPerUnbinding = 1_000

/** The maximum number of entries in one response of the allowlist (D18). */
export const maxAllowedNftsPerPage = 10_000
