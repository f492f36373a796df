import { example } from '../documentation.ts'

/** The shared end of the descriptions of 4.8 and 4.9. */
export const chosenNfts =
  "NFTs that are in one of the player's wallets and allowlisted to the product: one entry for each wallet and NFT. The list is empty for a player without wallets, a product without contracts and a filter that matches nothing.\n\nThe service keeps who holds the NFTs of contracts in use, on the chains that the operator has chosen, and follows every transfer. For these contracts it does not ask the indexer, and an answer has a transfer some seconds after its block: after a transfer, read again. For others it asks the indexer. Get contracts says which contracts are kept.\n\nA complete list is in the order of the allowlist, then of owners. A large wallet takes several pages, those of kept contracts first: a page has up to 1,000 entries, and can be shorter or even empty and still have a `nextCursor`; only a missing `nextCursor` means the end. A cursor lives for 9 minutes and belongs to this operation, product, player and filter. It is `cursor_expired` sooner if a contract is not kept any more. Only NFTs that change hands between two pages can be missing or repeated.\n\nWith a cursor, `Cache-Control` has no effect."

/** The age of answers, for 4.8, 4.9 and 4.12 (D156). */
export const answerAge =
  '`asOf` is the moment of which the answer speaks. The header `Cache-Control` of the request says which age you accept.'

/** The query parameters of 4.8 and 4.9. */
export const playerNftsParameters = {
  chains: {
    description:
      'Chains to include, repeated (`chains=BSC&chains=POLYGON`) or comma separated (`chains=BSC,POLYGON`). Omitted or empty: every chain on which the product has contracts.',
    example: ['BSC', 'POLYGON'],
  },
  chainDtos: {
    description: 'Another name of `chains`. If both are sent, they must name the same chains.',
    example: ['BSC', 'POLYGON'],
  },
  limit: { description: 'Maximum number of entries; 1,000 if omitted.', example: 100 },
  cursor: {
    description: 'The `nextCursor` of an earlier response, sent with the same `chains`.',
    example: example.playerCursor,
  },
}

/** Three NFTs of the example player, without their metadata. */
export const crate = {
  tokenId: '2',
  address: example.contracts.crates,
  chain: 'BSC',
  owner: example.wallets.hot,
  balance: '3',
  metadataLink:
    'https://ipfs.io/ipfs/bafybeidsqk7ntii2j6k7su7coaimouka6y4pkwetwzjs242th5bsdxpmbm/2',
}
export const lantern = {
  tokenId: '4',
  address: example.contracts.gear,
  chain: 'POLYGON',
  owner: example.wallets.cold,
  balance: '5',
  metadataLink: 'https://metadata.brindlewake.example/gear/4',
}
export const lost = {
  tokenId: '60',
  address: example.contracts.keepers,
  chain: 'POLYGON',
  owner: example.wallets.cold,
  balance: '1',
  metadataLink: '',
  metadataError: 'not_available' as const,
}

/** The fault of a request without a player token (D23). */
export const missingPlayerToken = {
  playerToken:
    'is required: send the player token in the header X-Player-Token or in the parameter playerToken',
}
