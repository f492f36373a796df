import type { OperationId } from '../../functions/operations.ts'
import { brokenRules } from './faults.ts'

/** The functions for which Lambda can reserve concurrent executions. */
export type FunctionId = OperationId | 'workQueue' | 'deliverWebhooks'

/** The settings of concurrent executions. */
export interface ConcurrencySettings {
  readonly accountConcurrency: number
  readonly reservedConcurrency: 'none' | Readonly<Partial<Record<FunctionId, number | null>>>
  readonly followedChains?: readonly string[] | undefined
  /** Anything, if players sign in with their wallets (D113). */
  readonly walletSignIn?: object | undefined
  /** Anything, if the deployment has webhooks (D121). */
  readonly webhooks?: object | undefined
}

/** The messages that the worker processes at a time: few, so that background work does not delay players. */
export const workerConcurrency = 5

/** The largest number of webhooks to which the service delivers at a time by default (D122). */
export const webhookDeliveries = 10

/** Lambda invokes the consumer of a queue at least so many times at once. */
const leastAtOnce = 2

/** The part of the account that deliveries can use by default: each of them waits for a server of somebody else. */
const deliveryShare = 0.1

/** The largest number of webhooks that the service tests at a time (D150). */
const webhookTests = 5

/** The schedule needs an execution too, while deliveries and tests use the others. */
const executionsOfSweep = 1

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

/** The reserved executions of the follower (D152): none with the setting `none`, nor where they have no room. */
export function followerReservation(settings: ConcurrencySettings): number | undefined {
  const { reservedConcurrency: own, accountConcurrency } = settings
  if (own === 'none' || !isFollowing(settings)) return undefined
  const hasRoom = sumOf(own) + executionsOfFollower <= reservableConcurrency(accountConcurrency)
  return hasRoom ? executionsOfFollower : undefined
}

/**
 * To how many webhooks the service delivers (D122) and how many it tests (D150) at a time: fewer in a small account.
 */
export function delivererConcurrency(settings: ConcurrencySettings) {
  const { reservedConcurrency: own, accountConcurrency } = settings
  const chosen = own === 'none' ? undefined : own.deliverWebhooks
  if (chosen) {
    const executions = chosen - executionsOfSweep
    const tests = testsOf(executions / 3)
    return { deliveries: executions - tests, tests }
  }
  const share = Math.floor(accountConcurrency * deliveryShare)
  const deliveries = Math.min(webhookDeliveries, Math.max(leastAtOnce, share))
  return { deliveries, tests: testsOf(deliveries / 2) }
}

const testsOf = (share: number): number =>
  Math.min(webhookTests, Math.max(leastAtOnce, Math.floor(share)))

/**
 * The reserved concurrent executions of the function that delivers to webhooks (D122): those of the setting, or else what it uses at most, where
 * there is room for it beside the other reservations of the setting and the follower's. There are none with the setting `none`.
 */
export function delivererReservation(settings: ConcurrencySettings): number | undefined {
  const { reservedConcurrency: own, accountConcurrency, webhooks } = settings
  if (own === 'none' || !webhooks) return undefined
  if (own.deliverWebhooks !== undefined) return own.deliverWebhooks ?? undefined
  const executions = sumOf({ ...delivererConcurrency(settings), executionsOfSweep })
  const others = sumOf(own) + (followerReservation(settings) ?? 0)
  return others + executions <= reservableConcurrency(accountConcurrency) ? executions : undefined
}

/** What the functions reserve that serve no caller and are not in {@link reservedConcurrency}. */
const ofBackground = (settings: ConcurrencySettings): number =>
  (followerReservation(settings) ?? 0) + (delivererReservation(settings) ?? 0)

/**
 * The reserved concurrent executions of each operation and of the worker: those of the setting, and defaults for the
 * functions that can be called without an API key. There are no defaults with the setting `none`, nor in an account in
 * which they would take more than half of the executions that can still be reserved.
 */
export function reservedConcurrency(
  settings: ConcurrencySettings,
): Partial<Record<FunctionId, number>> {
  const { reservedConcurrency: all, accountConcurrency, walletSignIn } = settings
  if (all === 'none') return {}
  const { deliverWebhooks: _, ...own } = all
  const reserved = sumOf(own) + ofBackground(settings)
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
  sumOf(reservedConcurrency(settings)) + ofBackground(settings)

/** The sum of reservations; `null` reserves nothing. */
const sumOf = (reservations: Readonly<Record<string, number | null>>): number =>
  Object.values(reservations).reduce<number>((sum, each) => sum + (each ?? 0), 0)

/** Reservations leave what Lambda requires, and consumers can process what they are invoked with. */
export function concurrencyFaults({
  accountConcurrency,
  reservedConcurrency: own,
}: ConcurrencySettings): string[] {
  if (own === 'none') return []
  const ofWorker = own.workQueue ?? workerConcurrency
  const leastOfDeliverer = 2 * leastAtOnce + executionsOfSweep
  const ofDeliverer = own.deliverWebhooks ?? leastOfDeliverer
  return brokenRules({
    [`reservedConcurrency must leave ${unreservedConcurrency} of accountConcurrency`]:
      sumOf(own) > reservableConcurrency(accountConcurrency),
    [`reservedConcurrency.workQueue must be at least ${workerConcurrency}, because the queue invokes the worker up to ${workerConcurrency} times at once, and messages that Lambda rejects end in the dead-letter queue`]:
      ofWorker < workerConcurrency,
    [`reservedConcurrency.deliverWebhooks must be at least ${leastOfDeliverer}, because each of its two queues invokes the function at least ${leastAtOnce} times at once, and its schedule once more`]:
      ofDeliverer < leastOfDeliverer,
  })
}
