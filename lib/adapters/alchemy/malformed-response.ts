import { IndexerUnavailable } from '../../domain/failures.ts'

/** A response that the indexer should never give (D30). `what` is for the log, in the project's own words. */
export const malformedResponse = (what: string): IndexerUnavailable =>
  new IndexerUnavailable(`malformed answer: ${what}`)

/** The members of a value of unverified form; none of a value that is no object. */
export const unverified = (value: unknown): Readonly<Record<string, unknown>> => Object(value)
