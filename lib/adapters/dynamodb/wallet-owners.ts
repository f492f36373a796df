import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { WalletOwner, WalletOwners } from '../../domain/ports/sign-in.ts'
import { GetCommand, UpdateCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { type FieldCondition, fieldUpdate } from './field-update.ts'
import { walletOwnerKey } from './keys/wallet-partition.ts'
import type { Table } from './table.ts'

const ownerItem = v.object({
  generation: v.number(),
  userId: v.exactOptional(v.number()),
  isJoining: v.exactOptional(v.literal(true)),
})

/** The owners of wallets in the table, in the partition of the wallet (D98). */
export const dynamoWalletOwners = ({ client, name: TableName }: Table): WalletOwners => ({
  async get(address) {
    const Key = walletOwnerKey(address)
    const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))
    return Item ? v.parse(ownerItem, Item) : { generation: 0 }
  },

  async replace(address, before, after) {
    const change = randomUUID()
    const update = fieldUpdate({
      set: { ...after, change },
      remove: (['userId', 'isJoining'] as const).filter((name) => after[name] === undefined),
      conditions: [generationOf(before), is('userId', before), is('isJoining', before)],
      isRepeat: ['change', '=', change],
    })
    const command = new UpdateCommand({ TableName, Key: walletOwnerKey(address), ...update })
    return (await unlessConditionFails(client.send(command))) !== undefined
  },
})

/** A wallet that nobody has ever had has no item. */
const generationOf = ({ generation }: WalletOwner): FieldCondition =>
  generation === 0 ? ['generation', 'absent or <=', 0] : ['generation', '=', generation]

function is(name: 'userId' | 'isJoining', { [name]: value }: WalletOwner): FieldCondition {
  return value === undefined ? [name, 'absent'] : [name, '=', value]
}
