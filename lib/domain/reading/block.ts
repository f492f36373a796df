/** A block of a chain. */
export interface Block {
  number: number
  /** Its time, in milliseconds since 1970, never in the future. */
  at: number
}

/** A block that an answer of the indexer is of. */
export interface StatedBlock extends Block {
  /** Its hash; absent if the answer has none. */
  hash?: string
}
