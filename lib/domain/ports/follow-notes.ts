import type { Address } from '../address.ts'
import type { Chain } from '../chain.ts'
import type { HashedBlock } from './chain-events.ts'

/** How far a chain is read. Written after the notes of the blocks up to it (D66). */
export interface FollowPosition {
  /** The last block that is read. */
  head: HashedBlock
  /** Nothing that was read before this moment is used: a reorganisation or a gap was noticed then. */
  distrustedBefore: number
  /** Earlier blocks of the overlap, and the events that were noted in them: the next step reads them again. */
  overlap: {
    blocks: readonly Pick<HashedBlock, 'number' | 'hash'>[]
    /** `<block hash>/<index>` of each event. */
    events: readonly string[]
    /** The first block of the overlap. */
    from: number
  }
}

/** A contract whose events are asked for. */
export interface FollowedContract {
  address: Address
  /** A read has asked about the contract; followed until then, in milliseconds since 1970. */
  leasedUntil: number
  /** The block from which on every event is noted; absent before the first step that covers the contract. */
  since?: { number: number; at: number } | undefined
  /** It had too many events, and is not followed until then. */
  suspendedUntil?: number | undefined
}

/** What the follower of a chain notes in the table. Every write can be repeated. */
export interface FollowNotes {
  /** Takes or renews the right to follow a chain; `false` while another holder has it. */
  lease(chain: Chain, holder: string, milliseconds: number): Promise<boolean>
  release(chain: Chain, holder: string): Promise<void>
  position(chain: Chain): Promise<FollowPosition | undefined>
  contracts(chain: Chain): Promise<FollowedContract[]>
  /** Notes that wallets moved NFTs of contracts in blocks up to one of this number and time. */
  noteMovements(
    chain: Chain,
    movements: readonly { wallet: Address; contract: Address; block: number; at: number }[],
  ): Promise<void>
  noteMetadata(chain: Chain, changes: readonly { contract: Address; at: number }[]): Promise<void>
  /** Notes from which block on contracts are followed, or that they are not. */
  noteContracts(chain: Chain, contracts: readonly FollowedContract[]): Promise<void>
  /** Writes the position if `holder` still has the lease; otherwise returns false. */
  moveTo(chain: Chain, holder: string, position: FollowPosition): Promise<boolean>
}
