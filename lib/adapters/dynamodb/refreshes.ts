import { randomUUID } from 'node:crypto'
import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import type { BindingId } from '../../domain/nft.ts'
import type { Refreshes } from '../../domain/ports.ts'
import {
  type RefreshState,
  refreshIntervalMilliseconds,
  unreportedRefreshMilliseconds,
} from '../../domain/refresh-state.ts'
import type { TokenId } from '../../domain/token-id.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { refreshKey, type Table } from './table.ts'

/** How long a refresh is kept, in seconds. */
const retentionSeconds = 24 * 3600

const refreshItem = v.pipe(
  v.object({
    refreshId: v.string(),
    bindingId: v.string(),
    refreshedAt: v.string(),
    checked: v.number(),
    changed: v.number(),
    failed: v.number(),
    pending: v.exactOptional(v.number()),
    position: v.exactOptional(v.string()),
  }),
  v.transform(
    ({ position, bindingId, ...item }): RefreshState => ({
      ...item,
      bindingId: bindingId as BindingId,
      ...(position !== undefined && { position: position as TokenId }),
    }),
  ),
)

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
    const started = await unlessConditionFails(
      client.send(
        new PutCommand({
          TableName,
          Item: { ...refreshKey(productId, contract), ...state, ...expiry(now) },
          // The same refreshId means that the SDK repeated the write after a lost response.
          ConditionExpression:
            'attribute_not_exists(pk) OR refreshId = :refreshId OR bindingId <> :bindingId' +
            ' OR refreshedAt <= :due' +
            ' OR (attribute_not_exists(pending) AND refreshedAt <= :silent)',
          ExpressionAttributeValues: {
            ':refreshId': state.refreshId,
            ':bindingId': contract.bindingId,
            ':due': new Date(now - refreshIntervalMilliseconds).toISOString(),
            ':silent': new Date(now - unreportedRefreshMilliseconds).toISOString(),
          },
        }),
      ),
    )
    return started && state
  },

  async abandon(productId, contract, refreshId) {
    await unlessConditionFails(
      client.send(
        new DeleteCommand({
          TableName,
          Key: refreshKey(productId, contract),
          ConditionExpression: 'refreshId = :refreshId',
          ExpressionAttributeValues: { ':refreshId': refreshId },
        }),
      ),
    )
  },

  async get(productId, contract) {
    const { Item } = await client.send(
      new GetCommand({ TableName, Key: refreshKey(productId, contract), ConsistentRead: true }),
    )
    return Item && v.parse(refreshItem, Item)
  },

  async advance(productId, contract, from, to) {
    const atPosition = from.position ? '#position = :position' : 'attribute_not_exists(#position)'
    const advanced = await unlessConditionFails(
      client.send(
        new PutCommand({
          TableName,
          Item: { ...refreshKey(productId, contract), ...to, ...expiry(Date.now()) },
          ConditionExpression: `refreshId = :refreshId AND ${atPosition}`,
          ExpressionAttributeNames: { '#position': 'position' },
          ExpressionAttributeValues: {
            ':refreshId': from.refreshId,
            ...(from.position && { ':position': from.position }),
          },
        }),
      ),
    )
    return advanced !== undefined
  },
})

const expiry = (now: number) => ({ expiresAt: Math.floor(now / 1000) + retentionSeconds })
