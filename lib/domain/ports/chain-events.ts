import type { TokenId } from '../allowlist/token-id.ts'
import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { ContractKey, NftStandard } from '../nft/nft.ts'
import type { EventContent } from '../nft-events/nft-event.ts'
import type { Deadline } from '../time-budget.ts'

/**
 * A block with its hash, which tells it from those of other branches. `at`: the time that it states, which can be
 * seconds ahead of the clock.
 */
export interface HashedBlock extends Block {
  hash: string
}

/** An event of the NFT standards in a block: a movement (ERC-721, ERC-1155), or new metadata (ERC-4906). */
export interface ChainEvent {
  contract: Address
  /** With its time in milliseconds since 1970, if the source states it. */
  block: { number: number; hash: string; at?: number | undefined }
  /** Distinguishes the event from the others of its block. */
  index: number
  details: EventDetails
}

interface EventDetails {
  transactionHash: string
  /** The standard that defines the event, if it says who holds what. */
  standard?: NftStandard | undefined
  /** Absent if the data of the event is not that of its standard. */
  content?: EventContent | undefined
}

/** A question for the events of contracts in the blocks `from` to `to`, both included. */
export interface EventQuery {
  chain: Chain
  contracts: readonly Address[]
  from: number
  to: number
}

/** The source of what happens on a chain (D152). Pushed events can become a second source. */
export interface ChainEvents {
  head(chain: Chain, deadline: Deadline): Promise<HashedBlock>
  /** The block of a number; `undefined` if the chain has none. */
  block(chain: Chain, number: number, deadline: Deadline): Promise<HashedBlock | undefined>
  /** The events. Throws RangeTooLarge if the source refuses the range or its answer as too large. */
  events(query: EventQuery, deadline: Deadline): Promise<ChainEvent[]>
}

/** The source refuses a range of blocks, or the events in it, as too large. A part of the range can succeed. */
export class RangeTooLarge extends Error {}

export interface Block {
  number: number
  /** Its time, in milliseconds since 1970, never in the future. */
  at: number
}

/** A question about a contract at a block, which is still part of the chain when it is answered. */
export interface StateQuery {
  contract: ContractKey
  block: Pick<HashedBlock, 'number' | 'hash'>
  deadline: Deadline
}

/**
 * What contracts say at a block. Throws the failures of the indexer (D30), also if the block is not in the chain any
 * more.
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
