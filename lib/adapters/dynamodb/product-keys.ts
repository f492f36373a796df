import * as v from 'valibot'
import type { ProductKeys } from '../../domain/ports/products.ts'
import { type EndedKey, endedKeyDays, type KeyId } from '../../domain/product/product-key.ts'
import { brandedText } from '../branded-text.ts'
import { getItem } from './item-reads.ts'
import { deleteItem, putItem, updateItem } from './item-writes.ts'
import { keyRecordKey, keyRecordsOf, productKey } from './keys/product-partition.ts'
import { apiKeyKey } from './keys/single-items.ts'
import { itemsUnder } from './prefix-reads.ts'
import { entryOf, keyEntry } from './product-item.ts'
import type { Table } from './table.ts'

/** The record of a key: of a key that has not ended, it has the digest only. */
const keyRecord = v.object({
  ...keyEntry.entries,
  keyId: brandedText<KeyId>(),
  endedAt: v.string(),
  endReason: v.picklist(['deleted', 'expired', 'rotated']),
})

const endedKey = (item: unknown): EndedKey => v.parse(keyRecord, item)

const hasEnded = (item: Record<string, unknown> | undefined) => item?.['endedAt'] !== undefined

/**
 * The keys of products in the table. A record with the digest of a key is written before the key, and gets
 * an expiry when the key itself is deleted, so that the deletion of a product finds every key.
 */
export const dynamoProductKeys = (table: Table): ProductKeys => ({
  async store(productId, { keyId, digest, createdAt }) {
    await putItem(table, { ...keyRecordKey(productId, keyId), keyId, digest, createdAt })
    await putItem(table, { ...apiKeyKey(digest), productId, keyId, createdAt })
  },

  change: ({ productId, keysVersion }, { changeId, add, limit, remove }) =>
    updateItem(table, productKey(productId), {
      set: {
        keysVersion: keysVersion + 1,
        keysChangeId: changeId,
        ...(add && { [`keys.${add.keyId}`]: entryOf(add) }),
        ...(limit && {
          [`keys.${limit.keyId}.endsAt`]: limit.endsAt,
          [`keys.${limit.keyId}.isRotated`]: true,
        }),
      },
      remove: remove.map((keyId) => `keys.${keyId}`),
      conditions: [
        ['keysVersion', '=', keysVersion],
        ['endedAt', 'absent'],
      ],
    }),

  async recordEnd(productId, key) {
    await putItem(table, { ...keyRecordKey(productId, key.keyId), ...key })
  },

  async cleanUp(productId, { keyId, digest, endedAt }) {
    await deleteItem(table, apiKeyKey(digest))
    await updateItem(table, keyRecordKey(productId, keyId), {
      set: { expiresAt: Math.floor(Date.parse(endedAt) / 1000) + endedKeyDays * 86_400 },
      conditions: [['endedAt', 'exists']],
    })
  },

  async listEnded(productId) {
    return (await itemsUnder(table, keyRecordsOf(productId))).filter(hasEnded).map(endedKey)
  },

  async findEnded(productId, keyId) {
    const item = await getItem(table, keyRecordKey(productId, keyId))
    return hasEnded(item) ? endedKey(item) : undefined
  },
})
