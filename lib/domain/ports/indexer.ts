import type { TokenId } from '../allowlist/token-id.ts'
import { IndexerUnavailable } from '../failures.ts'
import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { DescribedNft, OwnedNft } from '../nft/owned-nft.ts'
import type { PageProgress, ReadingProgress } from '../reading/reading-position.ts'
import type { Deadline } from '../time-budget.ts'
import type { Block } from './chain-events.ts'

/**
 * The NFT indexer: the owners of NFTs, and metadata. Calls end by their deadline and within the time
 * of one indexer call (D30). Each method throws RateLimited or CallsSpent when the product of the request has no call left
 * (D78).
 */
export interface Indexer {
  /** Begins what the first call needs, such as the read of the key. Nothing fails if it fails. */
  prepare(): void
  /**
   * One page of a wallet's NFTs of at most 45 contracts on one chain; at most 100 NFTs. A page with a
   * page key has the progress of the reading, which the query for the next page passes on, so that pages
   * that contradict each other are noticed (D39). `seen`: the NFTs that earlier pages of the same request
   * returned; the NFTs of this page are added. `block`: the block that the indexer says its data is of; absent
   * if it states none.
   */
  ownedNfts(query: {
    chain: Chain
    owner: Address
    contracts: readonly Address[]
    pageKey?: string
    progress?: ReadingProgress
    seen?: Set<string>
    deadline: Deadline
  }): Promise<{
    nfts: OwnedNft[]
    pageKey?: string
    progress?: ReadingProgress
    block?: Block
  }>
  /**
   * The metadata of at most 100 NFTs, in the order of `tokenIds`. `fromSource`: the indexer fetches it from its source
   * first.
   */
  metadata(query: {
    contract: ContractKey
    tokenIds: readonly TokenId[]
    fromSource: boolean
    deadline: Deadline
  }): Promise<DescribedNft[]>
  /**
   * One page of the token identifiers of all NFTs of a contract that exist: at most `limit`, which is 1 to
   * 100 (D59). A page key stays valid, also with another `limit`. A page with a page key has the progress of
   * the reading, which the query for the next page passes on (D39).
   */
  contractNfts(query: {
    contract: ContractKey
    pageKey?: string
    progress?: PageProgress
    limit: number
    deadline: Deadline
  }): Promise<{ tokenIds: TokenId[]; pageKey?: string; progress?: PageProgress }>
  /**
   * The token identifiers of the NFTs of a contract that exist, from an identifier on and in the order of
   * numbers: at most 100. `next`: every NFT before this identifier is listed, and others can follow; absent if
   * none follows (D60).
   */
  nftsFrom(query: {
    contract: ContractKey
    from: TokenId
    deadline: Deadline
  }): Promise<{ tokenIds: TokenId[]; next?: TokenId }>
  /** The wallet's balance of an ERC-20 token, in its smallest unit. */
  balance(query: { token: ContractKey; owner: Address; deadline: Deadline }): Promise<bigint>
}

/** The most contracts that the indexer takes in one call. */
export const maxContractsPerCall = 45

/**
 * The longest page key of the indexer, in bytes of JSON: its cursor then fits the 4,096 characters of the
 * parameter, and the 10,240 bytes that API Gateway allows for request line and headers (D3, D39).
 */
export const maxPageKeyBytes = 2_048

/** The most NFTs that the indexer returns, or describes, in one call. */
export const maxNftsPerCall = 100

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
  statedBlock(contract: ContractKey, deadline: Deadline): Promise<Block | undefined>
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
