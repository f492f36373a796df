import { createHash, randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { Wallet } from '../../domain/nft/wallet.ts'
import type { Sessions } from '../../domain/ports/sign-in.ts'
import { sessionLifetimeMilliseconds } from '../../domain/sign-in/session.ts'
import { brandedText } from '../branded-text.ts'
import { deleteAll } from './batches.ts'
import { getItem } from './item-reads.ts'
import { putItem } from './item-writes.ts'
import { keysOf } from './keys/key.ts'
import { sessionKey, sessionsOf } from './keys/player-partition.ts'
import { itemsUnder } from './prefix-reads.ts'
import type { Table } from './table.ts'

const sessionItem = v.object({
  userId: v.number(),
  wallet: brandedText<Wallet>(),
  beganAt: v.number(),
})

/** The user id, and 32 bytes in base64url. */
const form = /^(\d{1,16})\.[\w-]{43}$/

/** The sessions in the table, in the partition of the player, under the digests of their texts. */
export const dynamoSessions = (table: Table): Sessions => {
  return {
    async begin(session) {
      const text = `${session.userId}.${randomBytes(32).toString('base64url')}`
      const expiresAt = Math.ceil((session.beganAt + sessionLifetimeMilliseconds) / 1_000)
      const key = sessionKey(session.userId, digestOf(text))
      await putItem(table, { ...key, ...session, expiresAt })
      return text
    },

    async get(text, now) {
      const [, userId] = form.exec(text) ?? []
      if (userId === undefined) return undefined
      const item = await getItem(table, sessionKey(Number(userId), digestOf(text)))
      if (!item) return undefined
      const session = v.parse(sessionItem, item)
      return now < session.beganAt + sessionLifetimeMilliseconds ? session : undefined
    },

    async endAll(userId, wallet) {
      const items = await itemsUnder(table, sessionsOf(userId))
      const ended = items.filter((item) => wallet === undefined || item['wallet'] === wallet)
      await deleteAll(table, keysOf(ended))
    },
  }
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url')
