import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'

/** An amount of a token that changed its owner. */
export interface Movement {
  /** `undefined` if the amount was minted. */
  from: Address | undefined
  /** `undefined` if the amount was burned. */
  to: Address | undefined
  tokenId: TokenId
  amount: bigint
}

/** An entry of the event log of a chain. Each event has a transaction of its own. */
export interface ChainEvent {
  /** The number of its block, which can be the one after the latest. */
  block: number
  address: Address
  transactionHash: string
  /** 32 bytes each, in hexadecimal. The first one is the hash of the event's signature. */
  topics: readonly string[]
  /** The other arguments, in the encoding of contract calls, in hexadecimal. */
  data: string
  /** The change of holdings that the event reports. */
  movement: Movement
}

/** The history of a chain: its blocks follow from the clock, so that only events are stored. */
export interface ChainState {
  /** Makes the hashes of this chain different from those of other chains with the same network. */
  readonly genesis: string
  /** In the order of their blocks. */
  readonly events: ChainEvent[]
  transactions: number
}

/** Returns the history of a chain without events. */
export const emptyChain = (genesis: string): ChainState => ({
  genesis,
  events: [],
  transactions: 0,
})
