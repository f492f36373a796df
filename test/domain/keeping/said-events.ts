import { type TokenId, tokenIdOf } from '../../../lib/domain/allowlist/token-id.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { NftStandard } from '../../../lib/domain/nft/nft.ts'
import type { EventContent, Transfer } from '../../../lib/domain/nft-events/nft-event.ts'
import type { ChainEvent } from '../../../lib/domain/ports/chain-events.ts'
import { contract } from '../../support/follower/followed.ts'

/** What an event of a contract says. */
export interface Said {
  standard?: NftStandard | undefined
  content?: EventContent | undefined
}

type Party = Address | null

/** The identifier with this number. */
export const id = (number: bigint | number): TokenId => tokenIdOf(BigInt(number))

const transfer = (from: Party, to: Party, tokens: Transfer['tokens']): Transfer => ({
  ...{ kind: 'transfer', from, to, tokens },
})

/** The transfer of one NFT (ERC-721). */
export const moves = (from: Party, to: Party, tokenId: bigint | number): Said => ({
  standard: 'ERC721',
  content: transfer(from, to, [{ tokenId: id(tokenId), amount: '1' }]),
})

/** The transfer of a range of NFTs, both ends included (ERC-2309). */
export const movesRange = (
  from: Party,
  to: Party,
  [first, last]: [bigint | number, bigint | number],
): Said => ({
  standard: 'ERC721',
  content: {
    ...transfer(from, to, []),
    range: { fromTokenId: id(first), toTokenId: id(last) },
  },
})

/** The transfer of amounts of NFTs (ERC-1155): pairs of an identifier and an amount. */
export const movesAmounts = (
  from: Party,
  to: Party,
  ...amounts: [tokenId: bigint | number, amount: bigint | number][]
): Said => ({
  standard: 'ERC1155',
  content: transfer(
    from,
    to,
    amounts.map(([tokenId, amount]) => ({ tokenId: id(tokenId), amount: `${amount}` })),
  ),
})

/** New metadata of all NFTs (ERC-4906). */
export const newMetadata: Said = {
  content: { kind: 'metadata', fromTokenId: id(0), toTokenId: id(2n ** 256n - 1n) },
}

/** An event of the contract whose data is not that of its standard. */
export const withoutContent: Said = { standard: 'ERC721' }

/** Events of a contract as they are emitted, in one block. */
export const inOneBlock = (...events: Said[]): ChainEvent[] =>
  events.map((said, index) => ({
    ...{ contract, index, block: { number: 100, hash: blockHash } },
    ...detailsOf(said),
  }))

/** The hash of the block of {@link inOneBlock}. */
export const blockHash = `0xabcdef012345${'0'.repeat(52)}`

/** The details of an event. */
export const detailsOf = (said: Said): Pick<ChainEvent, 'details'> => ({
  details: { transactionHash: '0x1', ...said },
})
