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
import { written } from '../written.ts'
import { GetCommand, PutCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { refreshKey } from './keys/product-partition.ts'
import type { Table } from './table.ts'

/** How long a refresh is kept, in seconds. */
const retentionSeconds = 24 * 3600

const contractPages = v.object({
  pageKey: v.exactOptional(v.string()),
  progress: v.exactOptional(
    v.object({ pages: v.number(), emptyPages: v.number(), anchor: written<PageMark>() }),
  ),
  read: v.number(),
  skipped: v.number(),
  upTo: v.exactOptional(written<TokenId>()),
})

const refreshItem = v.object({
  refreshId: v.string(),
  bindingId: written<BindingId>(),
  refreshedAt: v.string(),
  checked: v.number(),
  changed: v.number(),
  failed: v.number(),
  pending: v.exactOptional(v.number()),
  position: v.exactOptional(written<TokenId>()),
  contractPages: v.exactOptional(contractPages),
  unsettled: v.exactOptional(
    v.object({
      since: v.string(),
      after: v.exactOptional(written<TokenId>()),
      rangesAfter: v.exactOptional(written<TokenId>()),
    }),
  ),
  isAbandoned: v.exactOptional(v.boolean()),
  continuesAfter: v.exactOptional(written<TokenId>()),
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
export const dynamoRefreshes = ({ client, name: TableName }: Table): Refreshes => ({
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
    const put = (started: RefreshState, condition: string, values: Record<string, unknown>) =>
      unlessConditionFails(
        client.send(
          new PutCommand({
            TableName,
            Item: { ...key, ...started, ...expiry(now) },
            // The same refreshId means that the SDK repeated the write after a lost response.
            ConditionExpression: `refreshId = :refreshId OR ${condition}`,
            ExpressionAttributeValues: { ':refreshId': state.refreshId, ...values },
          }),
        ),
      )
    const first = await put(
      state,
      'attribute_not_exists(pk) OR' +
        ' (pending = :none AND refreshedAt <= :due AND attribute_not_exists(continuesAfter)' +
        ' AND attribute_not_exists(continuesAtPage))',
      {
        ':none': 0,
        ':due': new Date(now - refreshIntervalMilliseconds).toISOString(),
      },
    )
    if (first) return state
    const { Item } = await client.send(
      new GetCommand({ TableName, Key: key, ConsistentRead: true }),
    )
    const earlier = Item && v.parse(refreshItem, Item)
    if (!earlier || !hasEnded(earlier, now)) return undefined
    const unsettled = unsettledBy(earlier)
    const next = { ...state, ...(unsettled && { unsettled }), ...startAfter(earlier) }
    return (await put(next, 'refreshId = :earlier', { ':earlier': earlier.refreshId })) && next
  },

  async abandon(productId, contract, started) {
    await unlessConditionFails(
      client.send(
        new PutCommand({
          TableName,
          Item: {
            ...refreshKey(productId, contract),
            ...started,
            isAbandoned: true,
            ...expiry(Date.now()),
          },
          ConditionExpression: 'refreshId = :refreshId',
          ExpressionAttributeValues: { ':refreshId': started.refreshId },
        }),
      ),
    )
  },

  async get(productId, contract) {
    const { Item } = await client.send(
      new GetCommand({ TableName, Key: refreshKey(productId, contract), ConsistentRead: true }),
    )
    if (!Item) return undefined
    const { isAbandoned, ...state } = v.parse(refreshItem, Item)
    return isAbandoned ? undefined : state
  },

  async advance(productId, contract, from, to) {
    const atPosition = from.position ? '#position = :position' : 'attribute_not_exists(#position)'
    const atPage = from.contractPages ? '#pages.#read = :read' : 'attribute_not_exists(#pages)'
    const advanced = await unlessConditionFails(
      client.send(
        new PutCommand({
          TableName,
          Item: { ...refreshKey(productId, contract), ...to, ...expiry(Date.now()) },
          ConditionExpression: `refreshId = :refreshId AND ${atPosition} AND ${atPage}`,
          ExpressionAttributeNames: {
            '#position': 'position',
            '#pages': 'contractPages',
            ...(from.contractPages && { '#read': 'read' }),
          },
          ExpressionAttributeValues: {
            ':refreshId': from.refreshId,
            ...(from.position && { ':position': from.position }),
            ...(from.contractPages && { ':read': from.contractPages.read }),
          },
        }),
      ),
    )
    return advanced !== undefined
  },
})

const expiry = (now: number) => ({ expiresAt: Math.floor(now / 1000) + retentionSeconds })
