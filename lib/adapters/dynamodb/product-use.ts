import { RateLimited, unlessUnavailable } from '../../domain/failures.ts'
import type { Limit } from '../../domain/limit/limit.ts'
import { halfIsLeft, limitClock, permit } from '../../domain/limit/limits.ts'
import type { ProductUse } from '../../domain/ports/limits.ts'
import type { ProductId } from '../../domain/product/product.ts'
import { callReservations } from './call-reservations.ts'
import { getItem } from './item-reads.ts'
import { productLimitsKey } from './keys/product-partition.ts'
import { countSpending, type Spending, statesIn } from './limits.ts'
import { countedNfts, recountSeconds } from './nft-count.ts'
import type { Table } from './table.ts'

/** The limits of a product that apply to the requests of a function. */
export interface ProductLimits {
  indexer?: readonly Limit[]
  /** The share of requests without an API key (D51). */
  clientIndexer?: readonly Limit[]
  allowlisting?: readonly Limit[]
  /** The indexer calls that the first request of a product in a container reserves (D78). By default, 1. */
  firstCalls?: number
  requests?: readonly Limit[]
  /**
   * Whether a request may need no indexer call, because holdings are kept: the limits of indexer calls are then
   * judged only when the indexer is asked (D156).
   */
  mayNeedNoIndexer?: boolean
  maxNfts?: number | undefined
}

/** The counters of products in the table (D47). */
export function dynamoProductUse(table: Table, limits: ProductLimits): ProductUse {
  const { indexer = [], clientIndexer = [], allowlisting = [], requests = [], maxNfts } = limits
  const reservations = callReservations(table, limits.firstCalls ?? 1)
  const all = [...indexer, ...clientIndexer, ...allowlisting, ...requests]
  const sequenceOf = (productId: ProductId, { isClient }: { isClient: boolean }) =>
    isClient
      ? { name: `${productId} client`, limits: [...indexer, ...clientIndexer] }
      : { name: productId, limits: indexer }

  return {
    isLimited: all.length > 0 || maxNfts !== undefined,

    async permit({ productId, counters }, request) {
      if (!limits.mayNeedNoIndexer) reservations.permit(sequenceOf(productId, request), counters)
      const applied = [...allowlisting, ...requests]
      permit(applied, statesIn(counters, applied), limitClock())
      if (maxNfts === undefined) return
      const nfts = await countedNfts(table, productId, counters, maxNfts)
      if (nfts < maxNfts) return
      throw new RateLimited({ name: 'nfts', count: maxNfts }, recountSeconds)
    },

    reserveCalls: (productId, product, request) =>
      reservations.begin(sequenceOf(productId, request), product),

    count: ({ productId, counters }, { nfts }) =>
      count(productId, counters, { requests: 1, calls: 0, nfts }),

    async add(productId, indexerCalls) {
      if (indexer.length === 0 || indexerCalls === 0) return
      const spent = { requests: 0, calls: indexerCalls, nfts: 0 }
      await getItem(table, productLimitsKey(productId))
        .then((counters) => count(productId, counters, spent))
        .catch(unlessUnavailable)
    },

    async hasHalfLeft(productId) {
      if (indexer.length === 0) return true
      const states = statesIn(await getItem(table, productLimitsKey(productId)), indexer)
      return halfIsLeft(indexer, states, limitClock())
    },
  }

  async function count(
    productId: ProductId,
    counters: Readonly<Record<string, unknown>> | undefined,
    spent: { requests: number; calls: number; nfts: number },
  ): Promise<void> {
    const { calls, nfts } = spent
    const spendings: Spending[] = [
      ...indexer.map((limit) => ({ limit, amount: calls })),
      ...allowlisting.map((limit) => ({ limit, amount: nfts })),
      ...requests.map((limit) => ({ limit, amount: spent.requests })),
    ].filter(({ amount }) => amount > 0)
    const totals = maxNfts !== undefined && nfts > 0 ? { nfts } : {}
    if (spendings.length === 0 && nfts === 0) return
    const states = statesIn(counters, all)
    await countSpending(table, productLimitsKey(productId), spendings, states, limitClock(), {
      totals,
      isKept: true,
    })
  }
}
