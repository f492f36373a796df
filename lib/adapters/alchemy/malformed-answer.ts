import { IndexerUnavailable } from '../../domain/failures.ts'

/** The indexer talks nonsense (D30). `what`, in our own words, is for the log. */
export const malformedAnswer = (what: string): IndexerUnavailable =>
  new IndexerUnavailable(`malformed answer: ${what}`)
