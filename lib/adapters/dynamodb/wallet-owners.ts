import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { WalletOwner, WalletOwners } from '../../domain/ports/sign-in.ts'
import { getItem } from './item-reads.ts'
import { type FieldCondition, updateItem } from './item-writes.ts'
import { walletOwnerKey } from './keys/wallet-partition.ts'
import type { Table } from './table.ts'

const ownerItem = v.object({
  generation: v.number(),
  userId: v.exactOptional(v.number()),
  isJoining: v.exactOptional(v.literal(true)),
})

/** The owners of wallets in the table, in the partition of the wallet (D98). */
export const dynamoWalletOwners = (table: Table): WalletOwners => ({
  async get(wallet) {
    const item = await getItem(table, walletOwnerKey(wallet))
    return item ? v.parse(ownerItem, item) : { generation: 0 }
  },

  async replace(wallet, before, after) {
    const change = randomUUID()
    return await updateItem(table, walletOwnerKey(wallet), {
      set: { ...after, change },
      remove: (['userId', 'isJoining'] as const).filter((name) => after[name] === undefined),
      conditions: [generationOf(before), is('userId', before), is('isJoining', before)],
      // The response to the same request was lost.
      or: ['change', '=', change],
    })
  },
})

/** A wallet that nobody has ever had has no item. */
const generationOf = ({ generation }: WalletOwner): FieldCondition =>
  generation === 0 ? ['generation', 'absent or <=', 0] : ['generation', '=', generation]

function is(name: 'userId' | 'isJoining', { [name]: value }: WalletOwner): FieldCondition {
  return value === undefined ? [name, 'absent'] : [name, '=', value]
}
