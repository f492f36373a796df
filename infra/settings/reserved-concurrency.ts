import type { OperationId, SignInOperationId } from '../../functions/operations.ts'

/** The functions for which Lambda can reserve concurrent executions. */
export type FunctionId = OperationId | SignInOperationId | 'workQueue'

/** The settings of concurrent executions. */
export interface ConcurrencySettings {
  readonly accountConcurrency: number
  readonly reservedConcurrency: 'none' | Readonly<Partial<Record<FunctionId, number | null>>>
  readonly followedChains?: readonly string[] | undefined
  /** Anything, if players sign in with their wallets (D113). */
  readonly walletSignIn?: object | undefined
}

/**
 * The number of messages that the worker processes concurrently. It is low so that background work does not delay
 * players.
 */
export const workerConcurrency = 5

/** The concurrent executions of an account that Lambda requires to stay unreserved. */
const unreservedConcurrency = 100

/** The concurrent executions that functions can reserve in an account. */
const reservableConcurrency = (accountConcurrency: number): number =>
  Math.max(0, accountConcurrency - unreservedConcurrency)

/**
 * The share of the reservable executions that each function gets by default. These functions can be called
 * without an API key. A reservation is also a maximum, so that their callers cannot take the executions of the
 * functions that products pay for.
 */
const shares: Readonly<Partial<Record<FunctionId, number>>> = {
  createPlayerToken: 0.1,
  getPlayerDetails: 0.1,
  getPublicKey: 0.03,
  getKeySet: 0.03,
  getOpenapi: 0.03,
  registerProduct: 0.01,
}

/** The same, in a deployment in which players sign in with their wallets (D113). */
const signInShares: typeof shares = {
  createToken: 0.08,
  signIn: 0.05,
  createSignInMessage: 0.04,
  authorizeDevice: 0.02,
}

/** The smallest reservation that is a default. A smaller maximum would throttle ordinary callers. */
const leastReservation = 5

/** The follower needs two executions: for the invocation that ends, and for the one that begins. */
const executionsOfFollower = 2

/** Whether a deployment with these settings has a follower. */
export const isFollowing = ({
  followedChains = [],
}: Pick<ConcurrencySettings, 'followedChains'>): boolean => followedChains.length > 0

/**
 * The reserved concurrent executions of the follower (D66). There are none with the setting `none`, nor where they have no
 * room beside the reservations of the setting.
 */
export function followerReservation(settings: ConcurrencySettings): number | undefined {
  const { reservedConcurrency: own, accountConcurrency } = settings
  if (own === 'none' || !isFollowing(settings)) return undefined
  const hasRoom = sumOf(own) + executionsOfFollower <= reservableConcurrency(accountConcurrency)
  return hasRoom ? executionsOfFollower : undefined
}

/**
 * The reserved concurrent executions of each operation and of the worker: those of the setting, and defaults for the
 * functions that can be called without an API key. There are no defaults with the setting `none`, nor in an account in
 * which they would take more than half of the executions that can still be reserved.
 */
export function reservedConcurrency(
  settings: ConcurrencySettings,
): Partial<Record<FunctionId, number>> {
  const { reservedConcurrency: own, accountConcurrency, walletSignIn } = settings
  if (own === 'none') return {}
  const reserved = sumOf(own) + (followerReservation(settings) ?? 0)
  const reservable = reservableConcurrency(accountConcurrency) - reserved
  const defaults = Object.fromEntries(
    Object.entries({ ...shares, ...(walletSignIn && signInShares) })
      .filter(([id]) => !(id in own))
      .map(([id, share]) => [id, Math.max(leastReservation, Math.floor(reservable * share))]),
  )
  const chosen = sumOf(defaults) <= reservable / 2 ? { ...own, ...defaults } : own
  return Object.fromEntries(Object.entries(chosen).filter(([, each]) => each !== null)) as Partial<
    Record<FunctionId, number>
  >
}

/** The concurrent executions that all functions of the stack reserve together. */
export const reservedExecutions = (settings: ConcurrencySettings): number =>
  sumOf(reservedConcurrency(settings)) + (followerReservation(settings) ?? 0)

/** The sum of reservations; `null` reserves nothing. */
const sumOf = (reservations: Readonly<Record<string, number | null>>): number =>
  Object.values(reservations).reduce<number>((sum, each) => sum + (each ?? 0), 0)

/**
 * The faults of the setting: reservations leave what Lambda requires, and the worker can process the messages with which
 * it is invoked.
 */
export function concurrencyFaults({
  accountConcurrency,
  reservedConcurrency: own,
}: ConcurrencySettings): string[] {
  if (own === 'none') return []
  const isReservable = sumOf(own) <= reservableConcurrency(accountConcurrency)
  const ofWorker = own.workQueue ?? workerConcurrency
  return [
    ...(isReservable
      ? []
      : [`reservedConcurrency must leave ${unreservedConcurrency} of accountConcurrency`]),
    ...(ofWorker >= workerConcurrency
      ? []
      : [
          `reservedConcurrency.workQueue must be at least ${workerConcurrency}, because the queue invokes the worker up to ${workerConcurrency} times at once, and messages that Lambda rejects end in the dead-letter queue`,
        ]),
  ]
}
