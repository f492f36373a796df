import type { TokenId } from '../allowlist/token-id.ts'
import type { Address } from '../nft/address.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { NftStandard } from '../nft/nft-standard.ts'
import type { Deadline } from '../time-budget.ts'
import type { HashedBlock } from './chain-events.ts'

/** A question about a contract at a block, which is still part of the chain when it is answered. */
export interface StateQuery {
  contract: ContractKey
  block: Pick<HashedBlock, 'number' | 'hash'>
  deadline: Deadline
}

/**
 * What contracts say at a block of their chain. Each method throws the failures of the indexer (D30), also if the block is not part of
 * the chain any more.
 */
export interface ChainState {
  /** The owner of each ERC-721 token, in their order; `null` for a token that has none, as burned ones. */
  ownersOf(query: StateQuery & { tokenIds: readonly TokenId[] }): Promise<(Address | null)[]>
  /** The number of ERC-721 tokens of each wallet, in their order. */
  countsOf(query: StateQuery & { wallets: readonly Address[] }): Promise<bigint[]>
  /** The balance of each pair of wallet and ERC-1155 token, in their order. */
  balancesOf(
    query: StateQuery & { pairs: readonly { wallet: Address; tokenId: TokenId }[] },
  ): Promise<bigint[]>
}

/** What contracts say of themselves. Each method throws the failures of the indexer (D30). */
export interface ContractStandards {
  /** The standard that a contract says it follows (ERC-165), at the latest block; `undefined`: neither, or there is no contract. */
  standardOf(contract: ContractKey, deadline: Deadline): Promise<NftStandard | undefined>
}
