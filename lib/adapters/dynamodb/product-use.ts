import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { RateLimited, ServiceUnavailable } from '../../domain/failures.ts'
import type { Limit } from '../../domain/limit.ts'
import { limitClock, permit } from '../../domain/limits.ts'
import type { ProductUse } from '../../domain/ports/limits.ts'
import type { ProductId } from '../../domain/product.ts'
import { countSpending, type Spending, statesIn } from './limits.ts'
import { countedNfts, recountSeconds } from './nft-count.ts'
import { productLimitsKey, type Table } from './table.ts'

/** The limits of a product that apply to the requests of a function. */
export interface ProductLimits {
  indexer?: readonly Limit[]
  allowlisting?: readonly Limit[]
  /** The maximum number of NFTs on all allowlists of a product. */
  maxNfts?: number | undefined
}

/** The maximum number of products whose latest request a container remembers. */
const memorySize = 10_000

/** What a container knows of the requests of a product. */
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
  const { indexer = [], allowlisting = [], maxNfts } = limits
  const memory = new Map<ProductId, Known>()
  const all = [...indexer, ...allowlisting]

  return {
    isLimited: all.length > 0 || maxNfts !== undefined,

    async permit({ productId, counters }) {
      permit(all, statesIn(counters, all), limitClock())
      if (maxNfts === undefined) return
      const nfts = await countedNfts(table, productId, counters, maxNfts)
      if (nfts < maxNfts) return
      throw new RateLimited({ name: 'nfts', count: maxNfts }, recountSeconds)
    },

    begin({ productId, counters }, nfts) {
      const { carried, latest } = memory.get(productId) ?? { carried: 0, latest: 1 }
      const calls = Math.max(0, latest + carried)
      const counted = indexer.length > 0 ? calls : 0
      remember(productId, { carried: latest + carried - calls, latest })
      return {
        counted: count(productId, counters, counted, nfts),
        settle(actual) {
          const known = memory.get(productId) ?? { carried: 0, latest: 1 }
          remember(productId, { carried: known.carried + actual - latest, latest: actual })
        },
      }
    },

    async add(productId, indexerCalls) {
      if (indexer.length === 0 || indexerCalls === 0) return
      try {
        const Key = productLimitsKey(productId)
        const command = new GetCommand({ TableName: table.name, Key, ConsistentRead: true })
        const { Item } = await table.client.send(command)
        await count(productId, Item, indexerCalls, 0)
      } catch (error) {
        if (!(error instanceof ServiceUnavailable)) throw error
      }
    },
  }

  async function count(
    productId: ProductId,
    counters: Readonly<Record<string, unknown>> | undefined,
    calls: number,
    nfts: number,
  ): Promise<void> {
    const spendings: Spending[] = [
      ...indexer.map((limit) => ({ limit, amount: calls })),
      ...allowlisting.map((limit) => ({ limit, amount: nfts })),
    ].filter(({ amount }) => amount > 0)
    const totals = maxNfts !== undefined && nfts > 0 ? { nfts } : {}
    if (spendings.length === 0 && nfts === 0) return
    const states = statesIn(counters, all)
    await countSpending(table, productLimitsKey(productId), spendings, states, limitClock(), {
      totals,
      isKept: true,
    })
  }

  function remember(productId: ProductId, known: Known): void {
    memory.delete(productId)
    memory.set(productId, known)
    const [oldest] = memory.keys()
    if (memory.size > memorySize && oldest !== undefined) memory.delete(oldest)
  }
}
