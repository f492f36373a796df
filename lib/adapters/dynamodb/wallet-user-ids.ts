import * as v from 'valibot'
import type { KnownUserIds, UserIds } from '../../domain/ports/users.ts'
import { GetCommand } from './commands.ts'
import { userKey } from './keys/single-items.ts'
import type { Table } from './table.ts'
import { digestOf, dynamoUserIds, userItem } from './user-ids.ts'

/** The user ids of wallets (D98): assigned as all are, and read without being assigned. */
export function dynamoWalletUserIds(table: Table): UserIds & KnownUserIds {
  const { client, name: TableName } = table
  return {
    ...dynamoUserIds(table),
    async knownIdOf({ issuer, subject }) {
      const Key = userKey(digestOf(issuer, subject))
      const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))
      return Item && v.parse(userItem, Item).userId
    },
  }
}
