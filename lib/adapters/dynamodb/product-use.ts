import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { RateLimited, ServiceUnavailable } from '../../domain/failures.ts'
import type { Limit } from '../../domain/limit.ts'
import { limitClock, permit, waitSeconds } from '../../domain/limits.ts'
import type { ProductUse } from '../../domain/ports/limits.ts'
import type { ProductId } from '../../domain/product.ts'
import type { StoredProduct } from '../../domain/stored-product.ts'
import { countSpending, type Spending, statesIn } from './limits.ts'
import { countedNfts, recountSeconds } from './nft-count.ts'
import { productLimitsKey, type Table } from './table.ts'

/** The limits of a product that apply to the requests of a function. */
export interface ProductLimits {
  indexer?: readonly Limit[]
  /** The share of requests without an API key (D51). */
  clientIndexer?: readonly Limit[]
  allowlisting?: readonly Limit[]
  /** The limits of the requests of the function themselves. */
  requests?: readonly Limit[]
  /**
   * Whether a request may need no indexer call, because answers are remembered: the limits of indexer calls are then
   * judged only when the indexer is asked (D73).
   */
  mayNeedNoIndexer?: boolean
  /** The maximum number of NFTs on all allowlists of a product. */
  maxNfts?: number | undefined
}

/** The maximum number of remembered requests: the latest of each product with an API key, and without one. */
const memorySize = 10_000

/** What a container knows of the requests of a product that have an API key, or of those that have none. */
interface Known {
  /** The indexer calls that are not counted yet; negative after a request that made fewer than were counted. */
  carried: number
  /** The indexer calls of the latest request. */
  latest: number
}

/**
 * The counters of products in the table. The number of indexer calls of a request is known only at its end,
 * so a request is counted with the number of the request before, and the container adds the difference to
 * the next request of the product (D47).
 */
export function dynamoProductUse(table: Table, limits: ProductLimits): ProductUse {
  const { indexer = [], clientIndexer = [], allowlisting = [], requests = [], maxNfts } = limits
  const memory = new Map<string, Known>()
  const all = [...indexer, ...clientIndexer, ...allowlisting, ...requests]
  const indexerLimitsOf = (isClient: boolean) =>
    isClient ? [...indexer, ...clientIndexer] : indexer

  return {
    isLimited: all.length > 0 || maxNfts !== undefined,

    async permit({ productId, counters }, { isClient }) {
      const calls = limits.mayNeedNoIndexer ? [] : indexerLimitsOf(isClient)
      const applied = [...calls, ...allowlisting, ...requests]
      permit(applied, statesIn(counters, applied), limitClock())
      if (maxNfts === undefined) return
      const nfts = await countedNfts(table, productId, counters, maxNfts)
      if (nfts < maxNfts) return
      throw new RateLimited({ name: 'nfts', count: maxNfts }, recountSeconds)
    },

    permitIndexer({ counters }, { isClient }) {
      const applied = indexerLimitsOf(isClient)
      permit(applied, statesIn(counters, applied), limitClock())
    },

    begin({ productId, counters }, { isClient, nfts }) {
      const name = isClient ? `${productId} client` : productId
      const { carried, latest } = memory.get(name) ?? { carried: 0, latest: 1 }
      // A request of a product that has exhausted its indexer calls makes none.
      const calls = mayAskIndexer(counters, isClient) ? Math.max(0, latest + carried) : 0
      remember(name, { carried: latest + carried - calls, latest })
      return {
        counted: count(productId, counters, indexerLimitsOf(isClient), {
          requests: 1,
          calls,
          nfts,
        }),
        settle(actual) {
          const known = memory.get(name) ?? { carried: 0, latest: 1 }
          remember(name, { carried: known.carried + actual - latest, latest: actual })
        },
      }
    },

    async add(productId, indexerCalls) {
      if (indexer.length === 0 || indexerCalls === 0) return
      try {
        const Key = productLimitsKey(productId)
        const command = new GetCommand({ TableName: table.name, Key, ConsistentRead: true })
        const { Item } = await table.client.send(command)
        await count(productId, Item, indexer, { requests: 0, calls: indexerCalls, nfts: 0 })
      } catch (error) {
        if (!(error instanceof ServiceUnavailable)) throw error
      }
    },
  }

  function mayAskIndexer(counters: StoredProduct['counters'], isClient: boolean): boolean {
    const applied = indexerLimitsOf(isClient)
    const states = statesIn(counters, applied)
    const now = limitClock()
    return applied.every((limit) => waitSeconds(limit, states[limit.name], now) === undefined)
  }

  async function count(
    productId: ProductId,
    counters: Readonly<Record<string, unknown>> | undefined,
    indexerLimits: readonly Limit[],
    spent: { requests: number; calls: number; nfts: number },
  ): Promise<void> {
    const { calls, nfts } = spent
    const spendings: Spending[] = [
      ...indexerLimits.map((limit) => ({ limit, amount: calls })),
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

  function remember(name: string, known: Known): void {
    memory.delete(name)
    memory.set(name, known)
    const [oldest] = memory.keys()
    if (memory.size > memorySize && oldest !== undefined) memory.delete(oldest)
  }
}
