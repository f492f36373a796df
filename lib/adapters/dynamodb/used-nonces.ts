import { randomUUID } from 'node:crypto'
import type { UsedNonces } from '../../domain/ports/sign-in.ts'
import { deleteItem, putItem } from './item-writes.ts'
import { usedNonceKey } from './keys/single-items.ts'
import type { Table } from './table.ts'

/** How long a used nonce is kept, in seconds: longer than a message with it is valid by any clock (D97). */
const retentionSeconds = 900

/** The used nonces of sign-in messages in the table. */
export const dynamoUsedNonces = (table: Table): UsedNonces => ({
  async use(nonce, now) {
    // A retry finds what the same call has written: to it, the nonce is not used.
    const usedBy = randomUUID()
    const expiresAt = Math.ceil(now / 1_000) + retentionSeconds
    return await putItem(
      table,
      { ...usedNonceKey(nonce), usedBy, expiresAt },
      { conditions: [['pk', 'absent']], or: ['usedBy', '=', usedBy] },
    )
  },

  async release(nonce) {
    await deleteItem(table, usedNonceKey(nonce))
  },
})
