export type ServiceName = 'DynamoDB' | 'KMS' | 'SQS' | 'Secrets Manager' | 'indexer'

/** Counts the requests to the stubs. */
export type CallCounter = ReturnType<typeof callCounter>

export function callCounter() {
  let indexerCalls = 0
  let rounds = roundCounter()
  return {
    /** Counts a request. The returned function is called when the response is sent. */
    begin(service: ServiceName): () => void {
      if (service === 'indexer') indexerCalls += 1
      return service === 'DynamoDB' ? rounds.begin() : () => undefined
    },
    /**
     * The requests to the indexer since the previous call, and the rounds of requests to DynamoDB: the length of the
     * longest sequence in which each waits for the one before.
     */
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
