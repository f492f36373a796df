import * as v from 'valibot'
import type { ProductKeys } from '../../domain/ports/products.ts'
import { type EndedKey, endedKeyDays, type KeyId } from '../../domain/product/product-key.ts'
import { written } from '../written.ts'
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { keyRecordKey, keyRecordsOf, productKey } from './keys/product-partition.ts'
import { apiKeyKey } from './keys/single-items.ts'
import { itemsUnder } from './prefix-reads.ts'
import { entryOf, keyEntry } from './product-item.ts'
import type { Table } from './table.ts'

/** The record of a key: of a key that has not ended, it has the digest only. */
const keyRecord = v.object({
  ...keyEntry.entries,
  keyId: written<KeyId>(),
  endedAt: v.string(),
  endReason: v.picklist(['deleted', 'expired', 'rotated']),
})

const endedKey = (item: unknown): EndedKey => v.parse(keyRecord, item)

const hasEnded = (item: Record<string, unknown> | undefined) => item?.['endedAt'] !== undefined

/**
 * The keys of products in the table. A record with the digest of a key is written before the key, and gets
 * an expiry when the key itself is deleted, so that the deletion of a product finds every key.
 */
export const dynamoProductKeys = ({ client, name: TableName }: Table): ProductKeys => ({
  async store(productId, { keyId, digest, createdAt }) {
    const record = { ...keyRecordKey(productId, keyId), keyId, digest, createdAt }
    await client.send(new PutCommand({ TableName, Item: record }))
    const item = { ...apiKeyKey(digest), productId, keyId, createdAt }
    await client.send(new PutCommand({ TableName, Item: item }))
  },

  async change({ productId, keysVersion }, { changeId, add, limit, remove }) {
    const names: Record<string, string> = { '#keys': 'keys' }
    const values: Record<string, unknown> = {
      ':read': keysVersion,
      ':next': keysVersion + 1,
      ':change': changeId,
    }
    const set = ['keysVersion = :next', 'keysChangeId = :change']
    if (add) {
      names['#add'] = add.keyId
      values[':add'] = entryOf(add)
      set.push('#keys.#add = :add')
    }
    if (limit) {
      Object.assign(names, { '#limit': limit.keyId, '#endsAt': 'endsAt', '#rotated': 'isRotated' })
      Object.assign(values, { ':endsAt': limit.endsAt, ':rotated': true })
      set.push('#keys.#limit.#endsAt = :endsAt', '#keys.#limit.#rotated = :rotated')
    }
    const removed = remove.map((keyId, index) => {
      names[`#r${index}`] = keyId
      return `#keys.#r${index}`
    })
    const changed = await unlessConditionFails(
      client.send(
        new UpdateCommand({
          TableName,
          Key: productKey(productId),
          UpdateExpression: [
            `SET ${set.join(', ')}`,
            ...(removed.length > 0 ? [`REMOVE ${removed.join(', ')}`] : []),
          ].join(' '),
          ConditionExpression: 'keysVersion = :read AND attribute_not_exists(endedAt)',
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: values,
        }),
      ),
    )
    return changed !== undefined
  },

  async recordEnd(productId, key) {
    const Item = { ...keyRecordKey(productId, key.keyId), ...key }
    await client.send(new PutCommand({ TableName, Item }))
  },

  async cleanUp(productId, { keyId, digest, endedAt }) {
    await client.send(new DeleteCommand({ TableName, Key: apiKeyKey(digest) }))
    await unlessConditionFails(
      client.send(
        new UpdateCommand({
          TableName,
          Key: keyRecordKey(productId, keyId),
          UpdateExpression: 'SET expiresAt = :expiresAt',
          ConditionExpression: 'attribute_exists(endedAt)',
          ExpressionAttributeValues: {
            ':expiresAt': Math.floor(Date.parse(endedAt) / 1000) + endedKeyDays * 86_400,
          },
        }),
      ),
    )
  },

  async listEnded(productId) {
    const items = await itemsUnder({ client, name: TableName }, keyRecordsOf(productId))
    return items.filter(hasEnded).map(endedKey)
  },

  async findEnded(productId, keyId) {
    const { Item } = await client.send(
      new GetCommand({ TableName, Key: keyRecordKey(productId, keyId), ConsistentRead: true }),
    )
    return hasEnded(Item) ? endedKey(Item) : undefined
  },
})
