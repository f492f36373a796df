import type { Capacity } from './capacity.ts'

/** The services by their names in the tables of the benchmark. */
export const services = ['DynamoDB', 'KMS', 'SQS', 'Secrets Manager', 'indexer'] as const

export type ServiceName = (typeof services)[number]

/** The requests to all services. */
export interface CallCounts {
  /** The number of requests by service and action: `DynamoDB GetItem`. */
  actions: Record<string, number>
  /** The rounds of requests to DynamoDB: the length of the longest sequence in which each waits for the one before. */
  dynamodbRounds: number
  /** The request units of DynamoDB, as it bills them. */
  capacity: Capacity
}

/** Counts the requests to the stubs. */
export interface CallCounter {
  /** Counts a request. The returned function is called when the response is sent. */
  begin(service: ServiceName, action: string): () => void
  /** Adds the request units of a request to DynamoDB. */
  use(capacity: Capacity): void
  /** Returns the counts since the previous call. */
  take(): CallCounts
}

const noCalls = (): Omit<CallCounts, 'dynamodbRounds'> => ({
  actions: {},
  capacity: { readUnits: 0, writeUnits: 0 },
})

export function callCounter(): CallCounter {
  let counts = noCalls()
  let rounds = roundCounter()
  return {
    begin(service, action) {
      const name = `${service} ${action}`
      counts.actions[name] = (counts.actions[name] ?? 0) + 1
      if (service !== 'DynamoDB') return () => undefined
      return rounds.begin()
    },
    use({ readUnits, writeUnits }) {
      counts.capacity.readUnits += readUnits
      counts.capacity.writeUnits += writeUnits
    },
    take() {
      const taken = { ...counts, dynamodbRounds: rounds.count() }
      counts = noCalls()
      rounds = roundCounter()
      return taken
    },
  }
}

/**
 * Counts rounds of requests. A request that begins after the response to another request may have waited for it, and
 * is in a later round.
 */
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

/** The number of requests to a service. */
export const callsOf = ({ actions }: CallCounts, service: ServiceName): number =>
  Object.entries(actions)
    .filter(([name]) => name.startsWith(`${service} `))
    .reduce((sum, [, count]) => sum + count, 0)
