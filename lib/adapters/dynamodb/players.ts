import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import type { Address } from '../../domain/address.ts'
import type { Player } from '../../domain/player.ts'
import type { Players } from '../../domain/ports.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { playerKey, type Table } from './table.ts'

const playerItem = v.pipe(
  v.object({ userId: v.number(), username: v.string(), wallets: v.array(v.string()) }),
  v.transform((item): Player => ({ ...item, wallets: item.wallets as Address[] })),
)

/** The players in the table. */
export const dynamoPlayers = ({ client, name: TableName }: Table): Players => ({
  async record({ userId, username, wallets }, issuedAt) {
    await unlessConditionFails(
      client.send(
        new PutCommand({
          TableName,
          Item: { ...playerKey(userId), userId, username, wallets, issuedAt },
          ConditionExpression: 'attribute_not_exists(pk) OR issuedAt <= :issuedAt',
          ExpressionAttributeValues: { ':issuedAt': issuedAt },
        }),
      ),
    )
  },

  async get(userId) {
    const { Item } = await client.send(
      new GetCommand({ TableName, Key: playerKey(userId), ConsistentRead: true }),
    )
    return Item && v.parse(playerItem, Item)
  },
})
