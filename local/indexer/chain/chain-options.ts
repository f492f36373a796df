/**
 * How the indexer serves its chains. A test can change each member while the server runs: it applies from the next call
 * on. Without a member, the indexer behaves as Alchemy does on its plan "pay as you go".
 */
export interface ChainOptions {
  /**
   * The seconds by which the answers of getNFTsForOwner lag behind the block that they state. Without it they are ahead
   * of the block: they have a movement at once, before its event is in a block.
   */
  indexLagSeconds?: number
  /** The seconds from the time of a block until eth_getLogs has its events; 0 by default. */
  logDelaySeconds?: number
  /** The most blocks in the range of one eth_getLogs; by default as on the plan for the network. */
  maxRangeBlocks?: number
  /** The most events in one answer of eth_getLogs; 10,000 by default. */
  maxLogs?: number
  /** The most owners in one answer of getOwnersForContract; 50,000 by default. */
  maxOwners?: number
}
