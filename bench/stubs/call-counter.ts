/** The services that operations ask, as the tables of the benchmark name them. */
export const services = ['DynamoDB', 'KMS', 'SQS', 'Secrets Manager', 'indexer'] as const

export type ServiceName = (typeof services)[number]

/** What was asked of the services. */
export interface CallCounts {
  /** How often each action was asked for, by service and action: `DynamoDB GetItem`. */
  actions: Record<string, number>
  /** How often DynamoDB was asked again after it had answered everything: requests side by side are one round. */
  dynamodbRounds: number
}

/** Counts what the stubs are asked. */
export interface CallCounter {
  /** Counts a request; what it gives is called when the request is answered. */
  begin(service: ServiceName, action: string): () => void
  /** What was counted since the last time. */
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

/** How often a service was asked, for anything. */
export const callsOf = ({ actions }: CallCounts, service: ServiceName): number =>
  Object.entries(actions)
    .filter(([name]) => name.startsWith(`${service} `))
    .reduce((sum, [, count]) => sum + count, 0)
