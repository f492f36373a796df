import { randomUUID } from 'node:crypto'
import type { UsedNonces } from '../../domain/ports/sign-in.ts'
import { DeleteCommand, PutCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { usedNonceKey } from './keys/single-items.ts'
import type { Table } from './table.ts'

/** How long a used nonce is kept, in seconds: longer than a message with it is valid by any clock (D97). */
const retentionSeconds = 900

/** The used nonces of sign-in messages in the table. */
export const dynamoUsedNonces = ({ client, name: TableName }: Table): UsedNonces => ({
  async use(nonce, now) {
    // A retry finds what the same call has written: to it, the nonce is not used.
    const usedBy = randomUUID()
    const expiresAt = Math.ceil(now / 1_000) + retentionSeconds
    const command = new PutCommand({
      TableName,
      Item: { ...usedNonceKey(nonce), usedBy, expiresAt },
      ConditionExpression: 'attribute_not_exists(pk) OR usedBy = :usedBy',
      ExpressionAttributeValues: { ':usedBy': usedBy },
    })
    return (await unlessConditionFails(client.send(command))) !== undefined
  },

  async release(nonce) {
    await client.send(new DeleteCommand({ TableName, Key: usedNonceKey(nonce) }))
  },
})
