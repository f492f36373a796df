import type { TokenId } from '../allowlist/token-id.ts'
import { IndexerUnavailable } from '../failures.ts'
import type { Address } from '../nft/address.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { StatedBlock } from '../reading/block.ts'
import type { Deadline } from '../time-budget.ts'

/** An amount of one NFT that a wallet holds. */
export interface OwnedAmount {
  owner: Address
  tokenId: TokenId
  /** At least 1. */
  amount: bigint
}

/** The indexer refuses to list the owners of a contract. It may do so for a short time only. */
export class OwnersNotListed extends IndexerUnavailable {}

/** The owners of all NFTs of a contract, as the indexer knows them. Each method throws the failures of the indexer (D30) and OwnersNotListed. */
export interface TokenOwners {
  /** The block that the indexer says its data is of; `undefined` if it states none. */
  statedBlock(contract: ContractKey, deadline: Deadline): Promise<StatedBlock | undefined>
  /**
   * Reads one page of the owners, and gives each amount to `take` while the page arrives, so that a page of any size is read in
   * bounded memory: it reads on when the promise of `take` is fulfilled. All of its time is that of the deadline. A page states no block. Returns the key of the next page; `undefined` after the last one. If it throws, `take`
   * can have had a part of the page.
   */
  page(
    query: { contract: ContractKey; pageKey?: string | undefined; deadline: Deadline },
    take: (owned: OwnedAmount) => Promise<void> | void,
  ): Promise<string | undefined>
}
