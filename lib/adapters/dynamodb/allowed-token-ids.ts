import { type TokenId, tokenIdOf } from '../../domain/allowlist/token-id.ts'
import type { BindingId } from '../../domain/nft/nft.ts'
import type { AllowedEntry, AllowedTokenIds } from '../../domain/ports/allowlist.ts'
import { deleteAll, existing, inParallel, putAll, untilAllSucceed } from './batches.ts'
import { DeleteCommand, paginateQuery, QueryCommand } from './commands.ts'
import { entryKey, expectedEntries } from './expected-entries.ts'
import {
  allowedKey,
  beforeFirstTokenId,
  bindingPartition,
  isAllowedKey,
  tokenIdFromKey,
} from './keys/binding-partition.ts'
import { type Key, keysOf, keyText } from './keys/key.ts'
import { firstItems, queryOf } from './prefix-reads.ts'
import type { Table } from './table.ts'

/** The allowlists in the table: one item for each token identifier, with nothing but its key. */
export const dynamoAllowedTokenIds = (table: Table): AllowedTokenIds => ({
  async add(bindingId, tokenIds) {
    await putAll(
      table,
      tokenIds.map((tokenId) => allowedKey(bindingId, tokenId)),
    )
  },

  async remove(bindingId, tokenIds) {
    let removed = 0
    // Single deletes, because BatchWriteItem does not return whether an item existed.
    await untilAllSucceed(tokenIds, table.requestsAtOnce, async (tokenId) => {
      const { Attributes } = await table.client.send(
        new DeleteCommand({
          TableName: table.name,
          Key: allowedKey(bindingId, tokenId),
          ReturnValues: 'ALL_OLD',
        }),
      )
      if (Attributes) removed += 1
    })
    return removed
  },

  async removeInBatches(bindingId, tokenIds) {
    const keys = await existing(
      table,
      tokenIds.map((tokenId) => allowedKey(bindingId, tokenId)),
    )
    await deleteAll(table, keys)
    return keys.length
  },

  async list(bindingId, { after, limit }) {
    return await readTokenIds(table, queryAfter(table, bindingId, after), limit)
  },

  async listIn(bindingId, { first, last }, limit) {
    const keyOf = (number: bigint) => allowedKey(bindingId, tokenIdOf(number)).sk
    const between = [keyOf(first), keyOf(last)] as const
    const query = queryOf(table, { pk: bindingPartition(bindingId), between }, 'pk, sk')
    return await readTokenIds(table, query, limit)
  },

  async count(bindingId, { after, until }) {
    const { ProjectionExpression: _, ...query } = queryAfter(table, bindingId, after)
    const pages = paginateQuery({ client: table.client }, { ...query, Select: 'COUNT' })
    let count = 0
    for await (const { Count = 0 } of pages) {
      count += Count
      if (Date.now() >= until) break
    }
    return count
  },

  async countEach(bindingIds, atMost) {
    const counts: number[] = []
    await inParallel(
      [...bindingIds.entries()],
      table.requestsAtOnce,
      async ([index, bindingId]) => {
        const { ProjectionExpression: _, ...query } = queryAfter(table, bindingId)
        const command = new QueryCommand({ ...query, Select: 'COUNT', Limit: atMost })
        const { Count = 0 } = await table.client.send(command)
        counts[index] = Count
      },
    )
    return counts
  },

  findAllowed: (entries) => findAllowed(table, entries),

  expected: expectedEntries(table, (entries) => findAllowed(table, entries)),

  async sweep(bindingId, until) {
    // Continues after the deleted keys: a store such as LevelDB still scans them for a while.
    let last: Key | undefined
    let deleted = 0
    while (Date.now() < until) {
      const { Items = [] } = await table.client.send(
        new QueryCommand({
          ...queryOf(table, { pk: bindingPartition(bindingId) }, 'pk, sk'),
          Limit: 1_000,
          ...(last && { ExclusiveStartKey: last }),
        }),
      )
      const keys = keysOf(Items)
      if (keys.length === 0) return { isDone: true, deleted }
      await deleteAll(table, keys)
      deleted += keys.filter(isAllowedKey).length
      last = keys.at(-1)
    }
    return { isDone: false, deleted }
  },
})

async function findAllowed<Entry extends AllowedEntry>(
  table: Table,
  entries: readonly Entry[],
): Promise<Entry[]> {
  const found = new Set((await existing(table, entries.map(entryKey))).map(keyText))
  return entries.filter((entry) => found.has(keyText(entryKey(entry))))
}

const readTokenIds = async (table: Table, query: Query, limit: number): Promise<TokenId[]> =>
  keysOf(await firstItems(table, query, limit)).map(({ sk }) => tokenIdFromKey(sk))

type Query = Parameters<typeof firstItems>[1]

const queryAfter = (table: Table, bindingId: BindingId, after?: TokenId) => ({
  TableName: table.name,
  KeyConditionExpression: 'pk = :pk AND sk > :after',
  ExpressionAttributeValues: {
    ':pk': bindingPartition(bindingId),
    ':after': after === undefined ? beforeFirstTokenId : allowedKey(bindingId, after).sk,
  },
  ProjectionExpression: 'pk, sk',
  ConsistentRead: true,
})
