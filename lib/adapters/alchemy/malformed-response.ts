import { IndexerUnavailable } from '../../domain/failures.ts'

/** A response that the indexer should never give (D30). `what` is for the log, in the project's own words. */
export const malformedResponse = (what: string): IndexerUnavailable =>
  new IndexerUnavailable(`malformed answer: ${what}`)
