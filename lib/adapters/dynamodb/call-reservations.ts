import { RateLimited, ServiceUnavailable } from '../../domain/failures.ts'
import type { Limit } from '../../domain/limit/limit.ts'
import {
  type LimitStates,
  limitClock,
  permit,
  spendWhatIsLeft,
  type UnusedUnits,
  withoutUnused,
} from '../../domain/limit/limits.ts'
import { type Reservation, reservation } from '../../domain/limit/reservation.ts'
import type { ProductId } from '../../domain/product/product.ts'
import type { StoredProduct } from '../../domain/product/stored-product.ts'
import { recentlyUsed } from '../recently-used.ts'
import { getItem } from './item-reads.ts'
import { updatedItem } from './item-writes.ts'
import { productLimitsKey } from './keys/product-partition.ts'
import { spendingUpdate, statesIn } from './limits.ts'
import type { Table } from './table.ts'

const attempts = 8

/** What a container knows of the requests of a product that have an API key, or of those that have none. */
interface Known {
  /** The calls of the latest request that has asked the indexer. */
  latest: number
  /** The calls that were reserved and not made, until the next reservation gives them back. */
  unused: UnusedUnits
}

const none: UnusedUnits = { count: 0, spentAt: 0 }

/** The requests of a product that are limited together: those with an API key, or those without one. */
interface RequestSequence {
  name: string
  limits: readonly Limit[]
}

/**
 * Reserves the indexer calls of requests by conditional writes to the counters of products (D78). `first`: the calls
 * that the first request of a product in a container reserves.
 */
export function callReservations(table: Table, first: number) {
  const unknown: Known = { latest: first, unused: none }
  const memory = recentlyUsed<string, Known>(10_000)
  const remember = (name: string, change: (known: Known) => Known) =>
    memory.set(name, change(memory.get(name) ?? unknown))

  const giveBackLater = (name: string, units: UnusedUnits) =>
    remember(name, ({ latest, unused }) => ({ latest, unused: together(unused, units) }))

  /** The unused calls of earlier requests, which the caller then has to give back. */
  function takeUnused(name: string): UnusedUnits {
    const { unused } = memory.get(name) ?? unknown
    remember(name, (known) => ({ ...known, unused: none }))
    return unused
  }

  /** Begins the reservation of a request. `product`: with its counters. */
  function begin({ name, limits }: RequestSequence, product: Promise<StoredProduct>): Reservation {
    let states: LimitStates | undefined
    let counted = none

    async function reserve(calls: number, made: number): Promise<number> {
      const { productId, counters } = await product
      const [limit, ...others] = limits
      if (!limit) return Number.POSITIVE_INFINITY
      const from = { states: states ?? statesIn(counters, limits), unused: takeUnused(name) }
      const spentAt = limitClock()
      try {
        const reserved = await spendCalls(table, productId, [limit, ...others], from, {
          calls,
          made,
        })
        states = reserved.states
        counted = together(counted, { count: reserved.calls, spentAt })
        return reserved.calls
      } catch (error) {
        // A counter that DynamoDB cannot read or write refuses nobody (D47).
        if (error instanceof ServiceUnavailable) return calls
        giveBackLater(name, from.unused)
        throw error
      }
    }

    const { take, end } = reservation((memory.get(name) ?? unknown).latest, reserve)
    return {
      take,
      end() {
        const made = end()
        if (made > 0) remember(name, ({ unused }) => ({ latest: made, unused }))
        const count = counted.count - made
        if (count > 0) giveBackLater(name, { ...counted, count })
        return made
      },
    }
  }

  return {
    begin,
    /** Throws RateLimited if no call is left for the next request, with the calls that it gives back. */
    permit({ name, limits }: RequestSequence, counters: StoredProduct['counters']): void {
      const now = limitClock()
      const { unused } = memory.get(name) ?? unknown
      permit(limits, withoutUnused(limits, statesIn(counters, limits), unused, now), now)
    },
  }
}

/** Unused calls that were reserved at two times, as if all were reserved at the earlier time. */
function together(a: UnusedUnits, b: UnusedUnits): UnusedUnits {
  if (a.count === 0 || b.count === 0) return a.count === 0 ? b : a
  return { count: a.count + b.count, spentAt: Math.min(a.spentAt, b.spentAt) }
}

/**
 * Counts calls if they are left, or as many as are left: by one write, and by others only if another request was counted
 * since the states were read. Those want fewer each time, so that small reservations cannot keep a large one waiting.
 * Gives the unused calls back in the same write. Throws RateLimited if no call is left.
 */
async function spendCalls(
  table: Table,
  productId: ProductId,
  limits: readonly [Limit, ...Limit[]],
  from: { states: LimitStates; unused: UnusedUnits },
  { calls, made }: { calls: number; made: number },
): Promise<{ calls: number; states: LimitStates }> {
  const key = productLimitsKey(productId)
  let { states } = from
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const now = limitClock()
    const wanted = Math.max(1, calls >> attempt)
    const { amount, changes } = spendWhatIsLeft(limits, { ...from, states }, wanted, now)
    if (amount === 0) {
      permit(limits, withoutUnused(limits, states, from.unused, now), now, made + 1)
    }
    // A retry after a lost response would give the same calls back twice.
    const update = { ...spendingUpdate(changes), isSentOnce: from.unused.count > 0 }
    const updated = await updatedItem(table, key, update, 'UPDATED_NEW')
    if (updated) return { calls: amount, states: statesIn(updated, limits) }
    states = statesIn(await getItem(table, key), limits)
  }
  throw new RateLimited(limits[0], 1)
}
