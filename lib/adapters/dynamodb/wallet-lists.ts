import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { Address } from '../../domain/nft/address.ts'
import type { WalletList, WalletLists } from '../../domain/ports/sign-in.ts'
import { written } from '../written.ts'
import { GetCommand, UpdateCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { type FieldCondition, fieldUpdate } from './field-update.ts'
import { playerKey } from './keys/player-partition.ts'
import type { Table } from './table.ts'

const listItem = v.object({
  username: v.exactOptional(v.string()),
  wallets: v.exactOptional(v.array(written<Address>())),
  walletsAddedAt: v.exactOptional(v.array(v.number())),
  walletsChange: v.exactOptional(v.string()),
  signedOutAt: v.exactOptional(v.number()),
  forgottenAt: v.exactOptional(v.number()),
})

/** The wallets of users who sign in with them, in the item of the player (D98). */
export function dynamoWalletLists({ client, name: TableName }: Table): WalletLists {
  return {
    get: async (userId) => (await read(userId)) ?? { wallets: [], addedAt: [], version: '' },

    replace: (userId, before, wallets, { username, at }) =>
      write(
        userId,
        before,
        ', wallets = :wallets, walletsAddedAt = :addedAt, username = if_not_exists(username, :username)',
        {
          ':wallets': wallets,
          ':addedAt': wallets.map((wallet) => before.addedAt[before.wallets.indexOf(wallet)] ?? at),
          ':username': username,
          ':at': at,
        },
      ),

    fence: async (userId, before) =>
      (await write(userId, before, '', { ':at': 0 })) || (await read(userId)) === undefined,

    rename: (userId, username) => change(userId, { username }, ['forgottenAt', 'absent']),

    signOut: (userId, now) =>
      change(userId, { signedOutAt: now }, ['signedOutAt', 'absent or <=', now]),
  }

  /** The list of a user; `undefined` if the user was forgotten. */
  async function read(userId: number): Promise<WalletList | undefined> {
    const Key = playerKey(userId)
    const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))
    const {
      wallets = [],
      walletsAddedAt: addedAt = [],
      walletsChange: version = '',
      forgottenAt,
      ...rest
    } = v.parse(listItem, Item ?? {})
    return forgottenAt === undefined ? { wallets, addedAt, version, ...rest } : undefined
  }

  /** Changes attributes of a user who is stored, on a condition. */
  async function change(
    userId: number,
    set: Record<string, unknown>,
    condition: FieldCondition,
  ): Promise<void> {
    const update = fieldUpdate({ set, conditions: [['userId', '=', userId], condition] })
    const command = new UpdateCommand({ TableName, Key: playerKey(userId), ...update })
    await unlessConditionFails(client.send(command))
  }

  /** Gives a list a new version, and changes more with it. */
  async function write(
    userId: number,
    { version }: WalletList,
    more: string,
    values: Record<string, unknown>,
  ): Promise<boolean> {
    const isVersion =
      version === '' ? 'attribute_not_exists(walletsChange)' : 'walletsChange = :version'
    const next = randomUUID()
    const command = new UpdateCommand({
      TableName,
      Key: playerKey(userId),
      UpdateExpression: `SET walletsChange = :next, userId = :userId, issuedAt = if_not_exists(issuedAt, :at)${more}`,
      // With the new version, the response to the same request was lost.
      ConditionExpression: `(${isVersion} OR walletsChange = :next) AND attribute_not_exists(forgottenAt)`,
      ExpressionAttributeValues: {
        ...values,
        ':next': next,
        ':userId': userId,
        ...(version !== '' && { ':version': version }),
      },
    })
    return (await unlessConditionFails(client.send(command))) !== undefined
  }
}
