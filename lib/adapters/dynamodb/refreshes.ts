import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { TokenId } from '../../domain/allowlist/token-id.ts'
import type { BindingId } from '../../domain/nft/nft.ts'
import type { Refreshes } from '../../domain/ports/refreshes.ts'
import type { PageMark } from '../../domain/reading/reading-position.ts'
import {
  type RefreshState,
  refreshIntervalMilliseconds,
  startAfter,
  unreportedRefreshMilliseconds,
  unsettledBy,
} from '../../domain/refresh/refresh-state.ts'
import { brandedText } from '../branded-text.ts'
import { getItem } from './item-reads.ts'
import { type FieldCondition, putItem } from './item-writes.ts'
import { refreshKey } from './keys/product-partition.ts'
import type { Table } from './table.ts'

const retentionSeconds = 24 * 3600

const contractPages = v.object({
  pageKey: v.exactOptional(v.string()),
  progress: v.exactOptional(
    v.object({ pages: v.number(), emptyPages: v.number(), anchor: brandedText<PageMark>() }),
  ),
  read: v.number(),
  skipped: v.number(),
  upTo: v.exactOptional(brandedText<TokenId>()),
})

const refreshItem = v.object({
  refreshId: v.string(),
  bindingId: brandedText<BindingId>(),
  refreshedAt: v.string(),
  checked: v.number(),
  changed: v.number(),
  failed: v.number(),
  pending: v.exactOptional(v.number()),
  position: v.exactOptional(brandedText<TokenId>()),
  contractPages: v.exactOptional(contractPages),
  unsettled: v.exactOptional(
    v.object({
      since: v.string(),
      after: v.exactOptional(brandedText<TokenId>()),
      rangesAfter: v.exactOptional(brandedText<TokenId>()),
    }),
  ),
  isAbandoned: v.exactOptional(v.boolean()),
  continuesAfter: v.exactOptional(brandedText<TokenId>()),
  continuesAtPage: v.exactOptional(contractPages),
})

/** Whether a refresh that has not checked all NFTs no longer prevents the next one. */
function hasEnded(
  { isAbandoned, pending, refreshedAt }: v.InferOutput<typeof refreshItem>,
  now: number,
): boolean {
  const age = now - Date.parse(refreshedAt)
  return (
    isAbandoned === true ||
    age >= refreshIntervalMilliseconds ||
    (pending === undefined && age >= unreportedRefreshMilliseconds)
  )
}

/** The refreshes in the table. DynamoDB's TTL deletes them. */
export const dynamoRefreshes = (table: Table): Refreshes => ({
  async start(productId, contract) {
    const now = Date.now()
    const state: RefreshState = {
      refreshId: randomUUID(),
      bindingId: contract.bindingId,
      refreshedAt: new Date(now).toISOString(),
      checked: 0,
      changed: 0,
      failed: 0,
    }
    const key = refreshKey(productId, contract)
    // The same refreshId means that the SDK repeated the write after a lost response.
    const put = (started: RefreshState, conditions: readonly FieldCondition[]) =>
      putItem(
        table,
        { ...key, ...started, ...expiry(now) },
        { conditions, or: ['refreshId', '=', state.refreshId] },
      )
    if (await put(state, [['pk', 'absent']])) return state
    const earlier = v.parse(v.optional(refreshItem), await getItem(table, key))
    if (!earlier || !hasEnded(earlier, now)) return undefined
    const unsettled = unsettledBy(earlier)
    const next = { ...state, ...(unsettled && { unsettled }), ...startAfter(earlier) }
    return (await put(next, [['refreshId', '=', earlier.refreshId]])) ? next : undefined
  },

  async abandon(productId, contract, started) {
    const key = refreshKey(productId, contract)
    const item = { ...key, ...started, isAbandoned: true, ...expiry(Date.now()) }
    await putItem(table, item, { conditions: [['refreshId', '=', started.refreshId]] })
  },

  async get(productId, contract) {
    const item = await getItem(table, refreshKey(productId, contract))
    if (!item) return undefined
    const { isAbandoned, ...state } = v.parse(refreshItem, item)
    return isAbandoned ? undefined : state
  },

  advance: (productId, contract, from, to) =>
    putItem(
      table,
      { ...refreshKey(productId, contract), ...to, ...expiry(Date.now()) },
      {
        conditions: [
          ['refreshId', '=', from.refreshId],
          from.position ? ['position', '=', from.position] : ['position', 'absent'],
          from.contractPages
            ? ['contractPages.read', '=', from.contractPages.read]
            : ['contractPages', 'absent'],
        ],
      },
    ),
})

const expiry = (now: number) => ({ expiresAt: Math.floor(now / 1000) + retentionSeconds })
