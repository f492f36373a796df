/** The standard of a contract, which decides what its events mean. */
export type NftStandard = 'ERC721' | 'ERC1155'
