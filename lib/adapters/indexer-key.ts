/** Returns the indexer's key. `anew`: reads it again, because the indexer refused the cached key. */
export type IndexerKey = (options?: { anew?: boolean }) => Promise<string>
