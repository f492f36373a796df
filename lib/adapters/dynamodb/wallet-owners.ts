import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import type { Address } from '../../domain/nft/address.ts'
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
export function dynamoWalletOwners({ client, name: TableName }: Table): WalletOwners {
  async function get(address: Address): Promise<WalletOwner> {
    const Key = walletOwnerKey(address)
    const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))
    return Item ? v.parse(ownerItem, Item) : { generation: 0 }
  }

  return {
    get,

    async replace(address, before, after) {
      const update = fieldUpdate({
        set: { ...after },
        remove: (['userId', 'isJoining'] as const).filter((name) => after[name] === undefined),
        conditions: [generationOf(before), is('userId', before), is('isJoining', before)],
      })
      const command = new UpdateCommand({ TableName, Key: walletOwnerKey(address), ...update })
      if (await unlessConditionFails(client.send(command))) return true
      // Its response can have been lost, and the request repeated. A change that another request has made is the same.
      return isDeepStrictEqual(await get(address), after)
    },
  }
}

/** A wallet that nobody has ever had has no item. */
const generationOf = ({ generation }: WalletOwner): FieldCondition =>
  generation === 0 ? ['generation', 'absent or <=', 0] : ['generation', '=', generation]

function is(name: 'userId' | 'isJoining', { [name]: value }: WalletOwner): FieldCondition {
  return value === undefined ? [name, 'absent'] : [name, '=', value]
}
