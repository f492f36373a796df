import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { Block } from '../reading/kept-reading.ts'
import type { Deadline } from '../time-budget.ts'

/**
 * A block with the hash that distinguishes it from the block of the same number on another branch. `at` is the time
 * that the block states, which can be some seconds ahead of the clock.
 */
export interface HashedBlock extends Block {
  hash: string
}

/** An event of the NFT standards in a block: a movement (ERC-721, ERC-1155), or new metadata (ERC-4906). */
export interface ChainEvent {
  contract: Address
  block: { number: number; hash: string }
  /** Distinguishes the event from the others of its block. */
  index: number
  /** The wallets that it touches, without the zero address; empty for what can concern every wallet: new metadata. */
  wallets: readonly Address[]
}

/** The source of what happens on a chain (D66). Pushed events can become a second source. */
export interface ChainEvents {
  /** The latest block. */
  head(chain: Chain, deadline: Deadline): Promise<HashedBlock>
  /** The block of a number; `undefined` if the chain has none. */
  block(chain: Chain, number: number, deadline: Deadline): Promise<HashedBlock | undefined>
  /**
   * The events of some contracts in the blocks `from` to `to`, both included. Throws RangeTooLarge if the source
   * refuses the range or its answer as too large.
   */
  events(
    query: { chain: Chain; contracts: readonly Address[]; from: number; to: number },
    deadline: Deadline,
  ): Promise<ChainEvent[]>
}

/** The source refuses a range of blocks, or the events in it, as too large. A part of the range can succeed. */
export class RangeTooLarge extends Error {}
