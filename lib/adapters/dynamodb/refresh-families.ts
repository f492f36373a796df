import * as v from 'valibot'
import type { Wallet } from '../../domain/nft/wallet.ts'
import type { RefreshFamilies } from '../../domain/ports/sign-in.ts'
import type { ProductId } from '../../domain/product/product.ts'
import { endOf, type RefreshFamily } from '../../domain/sign-in/refresh-family.ts'
import { brandedText } from '../branded-text.ts'
import { getItem } from './item-reads.ts'
import { deleteItem, putItem, updateItem } from './item-writes.ts'
import { familiesOf, familyKey } from './keys/player-partition.ts'
import { itemsUnder } from './prefix-reads.ts'
import type { Table } from './table.ts'

const familyItem = v.object({
  userId: v.number(),
  familyId: v.string(),
  counter: v.number(),
  productId: brandedText<ProductId>(),
  wallet: brandedText<Wallet>(),
  beganAt: v.number(),
  renewedAt: v.number(),
})

const familyIn = (item: Record<string, unknown>): RefreshFamily => v.parse(familyItem, item)

const expiryOf = (family: Pick<RefreshFamily, 'beganAt'>) => Math.ceil(endOf(family) / 1_000)

/** The families of refresh tokens in the table, in the partition of the player (D99). */
export const dynamoRefreshFamilies = (table: Table): RefreshFamilies => ({
  async add(family) {
    const key = familyKey(family.userId, family.familyId)
    const item = { ...key, ...family, expiresAt: expiryOf(family) }
    await putItem(table, item, { conditions: [['pk', 'absent']] })
  },

  async get(userId, familyId) {
    const item = await getItem(table, familyKey(userId, familyId))
    return item && familyIn(item)
  },

  async ofUser(userId) {
    return (await itemsUnder(table, familiesOf(userId))).map(familyIn)
  },

  renew: ({ userId, familyId, counter }, now) =>
    updateItem(table, familyKey(userId, familyId), {
      set: { counter: counter + 1, renewedAt: now },
      conditions: [['counter', '=', counter]],
    }),

  redate: ({ userId, familyId, wallet, beganAt }) =>
    updateItem(table, familyKey(userId, familyId), {
      set: { wallet, beganAt, expiresAt: expiryOf({ beganAt }) },
      conditions: [['familyId', '=', familyId]],
    }),

  async end(userId, familyId) {
    await deleteItem(table, familyKey(userId, familyId))
  },
})
