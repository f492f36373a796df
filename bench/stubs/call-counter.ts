export type ServiceName = 'DynamoDB' | 'KMS' | 'SQS' | 'Secrets Manager' | 'indexer'

/** The requests to all services. */
export interface CallCounts {
  indexerCalls: number
  /** The rounds of requests to DynamoDB: the length of the longest sequence in which each waits for the one before. */
  dynamodbRounds: number
}

/** Counts the requests to the stubs. */
export interface CallCounter {
  /** Counts a request. The returned function is called when the response is sent. */
  begin(service: ServiceName): () => void
  /** Returns the counts since the previous call. */
  take(): CallCounts
}

export function callCounter(): CallCounter {
  let indexerCalls = 0
  let rounds = roundCounter()
  return {
    begin(service) {
      if (service === 'indexer') indexerCalls += 1
      return service === 'DynamoDB' ? rounds.begin() : () => undefined
    },
    take() {
      const taken = { indexerCalls, dynamodbRounds: rounds.count() }
      indexerCalls = 0
      rounds = roundCounter()
      return taken
    },
  }
}

/** A request that begins after the response to another request may have waited for it, and is in a later round. */
function roundCounter() {
  let begun = 0
  let ended = 0
  return {
    count: () => begun,
    /** Begins a request. The returned function is called when the response is sent. */
    begin(): () => void {
      const round = ended + 1
      begun = Math.max(begun, round)
      return () => {
        ended = Math.max(ended, round)
      }
    },
  }
}
