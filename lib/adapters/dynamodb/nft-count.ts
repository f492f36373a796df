import { ServiceUnavailable } from '../../domain/failures.ts'
import type { ProductId } from '../../domain/product/product.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { dynamoAllowedTokenIds } from './allowed-token-ids.ts'
import { inParallel } from './batches.ts'
import { dynamoContracts } from './contracts.ts'
import { updateItem } from './item-writes.ts'
import { productLimitsKey } from './keys/product-partition.ts'
import type { Table } from './table.ts'

/** The shortest time between two counts of the NFTs of a product, in seconds (D47). */
export const recountSeconds = 300

const countMilliseconds = 10_000

const listsAtOnce = 10

/**
 * The NFTs on all allowlists of a product. The counter is an upper bound: it grows with each allowlisting, also
 * of NFTs that are on the list already, and unbinding does not change it. So when it reaches `maxNfts`, or does
 * not exist, the NFTs are counted, but not more often than once in {@link recountSeconds}. If the table is
 * unavailable, the result is 0, because a counter refuses nobody then.
 */
export async function countedNfts(
  table: Table,
  productId: ProductId,
  counters: Readonly<Record<string, unknown>> | undefined,
  maxNfts: number,
): Promise<number> {
  if (!counters) return 0
  const { nfts, nftsCountedAt } = counters
  const now = Math.floor(Date.now() / 1000)
  if (typeof nfts === 'number' && nfts < maxNfts) return nfts
  const isRecent = typeof nftsCountedAt === 'number' && nftsCountedAt > now - recountSeconds
  if (typeof nfts === 'number' && isRecent) return nfts
  try {
    const exact = await countNfts(table, productId)
    // The write must not wait for the permission of the request, which waits for this count.
    await downstreamCalls.shared(() => store(table, productId, exact, nfts, now))
    return exact
  } catch (error) {
    if (error instanceof ServiceUnavailable) return 0
    throw error
  }
}

/** A lower bound if the count takes too long. */
async function countNfts(table: Table, productId: ProductId): Promise<number> {
  const until = Date.now() + countMilliseconds
  const lists = dynamoAllowedTokenIds(table)
  let nfts = 0
  await inParallel(await dynamoContracts(table).list(productId), listsAtOnce, async (contract) => {
    const counted = await lists.count(contract.bindingId, { until })
    nfts += counted
  })
  return nfts
}

/** Stores a count, unless another request was counted since the counter was read. */
async function store(
  table: Table,
  productId: ProductId,
  nfts: number,
  before: unknown,
  now: number,
): Promise<void> {
  const isKnown = typeof before === 'number'
  await updateItem(table, productLimitsKey(productId), {
    // The count of a product without a counter is not one that follows a refusal.
    set: { nfts, ...(isKnown && { nftsCountedAt: now }) },
    conditions: [isKnown ? ['nfts', '=', before] : ['nfts', 'absent']],
  })
}
