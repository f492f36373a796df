import {
  type OperationRequests,
  type RequestName,
  type Requests,
  type Route,
  requestNames,
} from './route.ts'

export interface AllRequests {
  each: Requests
  first: Requests
  /** The additional requests of the first call of a container with an API key (D46). */
  firstOfKey: Requests
  units: { read: number; write: number }
}

/** The requests of an operation, with those that follow from its credential and from the record of a change. */
export function requestsOf(
  {
    auth,
    player,
    isSessionOptional,
  }: Pick<Route, 'auth' | 'player'> & { isSessionOptional?: true },
  { each, first = {}, units = {}, recordsChange }: OperationRequests,
): AllRequests {
  const isOfProduct = auth === 'PRODUCT'
  // The session, and the wallets of its user (D102). Without it, the example of an operation that can do so asks for neither.
  const ofSession = auth === 'SESSION' && !isSessionOptional ? 2 : 0
  const { read = countOf(each, reads), write = countOf(each, writes) } = units
  return {
    each: sumOf(
      each,
      // The product, together with the player.
      isOfProduct && (player ? { BatchGetItem: 1 } : { GetItem: 1 }),
      ofSession > 0 && { GetItem: ofSession },
      recordsChange && { PutItem: 1, UpdateItem: 1 },
    ),
    first: sumOf(first, auth === 'USER' && { GetPublicKey: 1 }),
    firstOfKey: isOfProduct ? { GetItem: 1 } : {},
    units: {
      read: read + (isOfProduct ? 1 : 0) + ofSession,
      write: write + (recordsChange ? 2 : 0),
    },
  }
}

const reads = ['GetItem', 'Query', 'BatchGetItem'] as const
const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'] as const

const countOf = (requests: Requests, names: readonly RequestName[]): number =>
  names.reduce((count, name) => count + (requests[name] ?? 0), 0)

export function sumOf(...summands: readonly (Requests | false | undefined)[]): Requests {
  const sum: Partial<Record<RequestName, number>> = {}
  for (const summand of summands) {
    for (const name of requestNames) {
      const count = summand ? summand[name] : undefined
      if (count !== undefined) sum[name] = (sum[name] ?? 0) + count
    }
  }
  return sum
}
