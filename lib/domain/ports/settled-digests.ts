import type { ContractKey } from '../nft/nft.ts'

/** What has settled of a contract at once: exactly these events after one block and up to another one. */
export interface SettledDigest {
  after: number
  upTo: number
  /** The number of events. */
  count: number
  /** Distinguishes them from all other sets of events. */
  digest: string
}

/** What the follower has settled of kept contracts, for a day. Reads are consistent. Each method throws ServiceUnavailable. */
export interface SettledDigests {
  /**
   * Notes what settles, before it is in a list. Can be repeated. What is noted is never replaced: who settles the same blocks again with
   * other events cannot hide what may be in the lists already.
   */
  add(contract: ContractKey, digest: SettledDigest): Promise<void>
  /** What was noted up to each of the blocks after one and up to another one, in the order of the chain. */
  read(contract: ContractKey, blocks: { after: number; upTo: number }): Promise<SettledDigest[]>
}
