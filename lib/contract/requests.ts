import type { Route } from './route.ts'

/** The actions of DynamoDB that the service uses. */
export const dynamoDbActions = [
  'BatchGetItem',
  'BatchWriteItem',
  'DeleteItem',
  'GetItem',
  'PutItem',
  'Query',
  'UpdateItem',
] as const

/** The names of the requests to DynamoDB, KMS, SQS, Secrets Manager and the indexer. */
const requestNames = [
  ...dynamoDbActions,
  'GetPublicKey',
  'Sign',
  'SendMessage',
  'GetSecretValue',
  'alchemy_getTokenBalances',
  'getNFTMetadataBatch',
  'getNFTsForContract',
  'getNFTsForOwner',
] as const

export type RequestName = (typeof requestNames)[number]

/** Numbers of requests by name. */
export type Requests = Readonly<Partial<Record<RequestName, number>>>

/**
 * What an operation asks of AWS and of the indexer when it succeeds with the first example of its documentation, in a
 * deployment without limits, beside what {@link requestsOf} derives.
 */
export interface OperationRequests {
  /** The requests of each call. */
  readonly each: Requests
  /** The additional requests of the first call of a container. */
  readonly first?: Requests
  /** The request units of DynamoDB for each call. */
  readonly units?: { readonly read?: number; readonly write?: number }
  /** Whether the call records a change of its product, before and after the change (D49). */
  readonly recordsChange?: true
}

/** All requests of an operation. */
export interface AllRequests {
  each: Requests
  first: Requests
  /** The additional requests of the first call of a container with an API key (D46). */
  firstOfKey: Requests
  units: { read: number; write: number }
}

/** What the requests of an operation depend on. */
type RowOfRequests = Pick<Route, 'auth' | 'player'> & { readonly isSessionOptional?: true }

/** The requests of an operation, with those that follow from its credential and from the record of a change. */
export function requestsOf(
  { auth, player, isSessionOptional }: RowOfRequests,
  { each, first = {}, units: { read = 0, write = 0 } = {}, recordsChange }: OperationRequests,
): AllRequests {
  const isOfProduct = auth === 'PRODUCT'
  // The session, and the wallets of its user (D102). Without it, the example of an operation that can do so asks for neither.
  const ofSession = auth === 'SESSION' && !isSessionOptional ? 2 : 0
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

/** The sums of several numbers of requests, by name. */
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
