import * as v from 'valibot'
import type { Address } from '../../domain/nft/address.ts'
import type { RefreshFamilies } from '../../domain/ports/refresh-families.ts'
import type { ProductId } from '../../domain/product/product.ts'
import { endOf, type RefreshFamily } from '../../domain/sign-in/refresh-family.ts'
import { written } from '../written.ts'
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { fieldUpdate } from './field-update.ts'
import { familiesOf, familyKey } from './keys/player-partition.ts'
import { itemsUnder } from './prefix-reads.ts'
import type { Table } from './table.ts'

const familyItem = v.object({
  userId: v.number(),
  familyId: v.string(),
  counter: v.number(),
  productId: written<ProductId>(),
  wallet: written<Address>(),
  beganAt: v.number(),
  renewedAt: v.number(),
})

const familyIn = (item: Record<string, unknown>): RefreshFamily => v.parse(familyItem, item)

/** When the table may delete a family, in seconds since 1970. */
const expiryOf = (family: Pick<RefreshFamily, 'beganAt'>) => Math.ceil(endOf(family) / 1_000)

/** The families of refresh tokens in the table, in the partition of the player (D99). */
export const dynamoRefreshFamilies = ({ client, name: TableName }: Table): RefreshFamilies => ({
  async add(family) {
    const key = familyKey(family.userId, family.familyId)
    const command = new PutCommand({
      TableName,
      Item: { ...key, ...family, expiresAt: expiryOf(family) },
      ConditionExpression: 'attribute_not_exists(pk)',
    })
    await unlessConditionFails(client.send(command))
  },

  async get(userId, familyId) {
    const Key = familyKey(userId, familyId)
    const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))
    return Item && familyIn(Item)
  },

  async ofUser(userId) {
    return (await itemsUnder({ client, name: TableName }, familiesOf(userId))).map(familyIn)
  },

  async renew({ userId, familyId, counter }, now) {
    const update = fieldUpdate({
      set: { counter: counter + 1, renewedAt: now },
      conditions: [['counter', '=', counter]],
    })
    const Key = familyKey(userId, familyId)
    const command = new UpdateCommand({ TableName, Key, ...update })
    return (await unlessConditionFails(client.send(command))) !== undefined
  },

  async redate({ userId, familyId, wallet, beganAt }) {
    const update = fieldUpdate({
      set: { wallet, beganAt, expiresAt: expiryOf({ beganAt }) },
      conditions: [['familyId', '=', familyId]],
    })
    const Key = familyKey(userId, familyId)
    const command = new UpdateCommand({ TableName, Key, ...update })
    return (await unlessConditionFails(client.send(command))) !== undefined
  },

  async end(userId, familyId) {
    await client.send(new DeleteCommand({ TableName, Key: familyKey(userId, familyId) }))
  },
})
