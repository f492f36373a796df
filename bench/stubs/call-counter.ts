/** The services by their names in the tables of the benchmark. */
export const services = ['DynamoDB', 'KMS', 'SQS', 'Secrets Manager', 'indexer'] as const

export type ServiceName = (typeof services)[number]

/** The requests to all services. */
export interface CallCounts {
  /** The number of requests by service and action: `DynamoDB GetItem`. */
  actions: Record<string, number>
  /** The rounds of requests to DynamoDB. Concurrent requests are one round. */
  dynamodbRounds: number
}

/** Counts the requests to the stubs. */
export interface CallCounter {
  /** Counts a request. The returned function is called when the response is sent. */
  begin(service: ServiceName, action: string): () => void
  /** Returns the counts since the previous call. */
  take(): CallCounts
}

export function callCounter(): CallCounter {
  let counts: CallCounts = { actions: {}, dynamodbRounds: 0 }
  let dynamodbUnderWay = 0
  return {
    begin(service, action) {
      const name = `${service} ${action}`
      counts.actions[name] = (counts.actions[name] ?? 0) + 1
      if (service !== 'DynamoDB') return () => undefined
      if (dynamodbUnderWay === 0) counts.dynamodbRounds += 1
      dynamodbUnderWay += 1
      return () => {
        dynamodbUnderWay -= 1
      }
    },
    take() {
      const taken = counts
      counts = { actions: {}, dynamodbRounds: 0 }
      return taken
    },
  }
}

/** The number of requests to a service. */
export const callsOf = ({ actions }: CallCounts, service: ServiceName): number =>
  Object.entries(actions)
    .filter(([name]) => name.startsWith(`${service} `))
    .reduce((sum, [, count]) => sum + count, 0)
