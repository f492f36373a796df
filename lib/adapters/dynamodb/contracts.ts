import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { TokenRanges } from '../../domain/allowlist/token-ranges.ts'
import { branded } from '../../domain/branded.ts'
import type { BindingId, ContractWithRanges, ListedContract } from '../../domain/nft/nft.ts'
import type { Contracts } from '../../domain/ports/allowlist.ts'
import { written } from '../written.ts'
import { readAll } from './batches.ts'
import { DeleteCommand, GetCommand, PutCommand, QueryCommand, UpdateCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { fieldUpdate } from './field-update.ts'
import { descriptionKey } from './keys/binding-partition.ts'
import { contractFromKey, contractKey, contractsOf } from './keys/product-partition.ts'
import { itemsUnder } from './prefix-reads.ts'
import type { Table } from './table.ts'
import { decodeTokenRanges, encodeTokenRanges } from './token-ranges.ts'

const connection = {
  sk: v.string(),
  bindingId: written<BindingId>(),
  ranges: v.optional(v.instance(Uint8Array)),
}

const connectionItem = v.object(connection)

const contractItem = v.pipe(connectionItem, v.transform(contractOf))

const listedItem = v.pipe(
  v.object({ ...connection, createdAt: v.string() }),
  v.transform(
    (item): ListedContract => ({
      ...contractOf(item),
      connectedAt: item.createdAt,
    }),
  ),
)

function contractOf({
  sk,
  bindingId,
  ranges,
}: v.InferOutput<typeof connectionItem>): ContractWithRanges {
  return {
    ...contractFromKey(sk),
    bindingId,
    ranges: decodeTokenRanges(ranges),
  }
}

/** The attribute of ranges; absent without ranges. */
const storedRanges = (ranges: TokenRanges): Uint8Array | undefined =>
  ranges.length === 0 ? undefined : encodeTokenRanges(ranges)

/** The contracts in the table. Every read is consistent, because unbinding takes effect at once (D19). */
export const dynamoContracts = (table: Table): Contracts => {
  const { client, name: TableName } = table
  return {
    ...contractWrites(table),

    async list(productId) {
      const items = await itemsUnder(table, contractsOf(productId), 'sk, bindingId, ranges')
      return items.map((item) => v.parse(contractItem, item))
    },

    async get(productId, key) {
      const { Item } = await client.send(
        new GetCommand({ TableName, Key: contractKey(productId, key), ConsistentRead: true }),
      )
      return Item && v.parse(contractItem, Item)
    },

    async page(productId, { after, limit }) {
      const { pk, prefix } = contractsOf(productId)
      const contracts: ListedContract[] = []
      let last: string | undefined = after && contractKey(productId, after).sk
      do {
        const { Items = [], LastEvaluatedKey } = await client.send(
          new QueryCommand({
            TableName,
            KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
            ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
            ConsistentRead: true,
            Limit: limit - contracts.length,
            ...(last !== undefined && { ExclusiveStartKey: { pk, sk: last } }),
          }),
        )
        contracts.push(...Items.map((item) => v.parse(listedItem, item)))
        last = LastEvaluatedKey?.['sk']
      } while (last !== undefined && contracts.length < limit)
      return contracts
    },

    async descriptions(listed) {
      const keys = listed.map(({ bindingId }) => descriptionKey(bindingId))
      const found = new Map(
        (await readAll(table, keys)).map(({ pk, description }) => [pk, String(description)]),
      )
      return keys.map(({ pk }) => found.get(pk) ?? '')
    },
  }
}

type ContractWrites = Pick<Contracts, 'describe' | 'connect' | 'replaceRanges' | 'disconnect'>

function contractWrites({ client, name: TableName }: Table): ContractWrites {
  return {
    async describe({ bindingId }, description) {
      const Item = { ...descriptionKey(bindingId), description }
      await client.send(new PutCommand({ TableName, Item }))
    },

    async connect(productId, key, ranges) {
      const bindingId = branded<BindingId>(randomUUID())
      const Item = {
        ...contractKey(productId, key),
        bindingId,
        createdAt: new Date().toISOString(),
        ranges: storedRanges(ranges),
      }
      const made = await unlessConditionFails(
        client.send(
          new PutCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' }),
        ),
      )
      return made && { ...key, bindingId, ranges }
    },

    async replaceRanges(productId, contract, ranges) {
      const [before, after] = [storedRanges(contract.ranges), storedRanges(ranges)]
      const update = fieldUpdate({
        ...(after ? { set: { ranges: after } } : { remove: ['ranges'] }),
        conditions: [
          ['bindingId', '=', contract.bindingId],
          before ? ['ranges', '=', before] : ['ranges', 'absent'],
        ],
      })
      const Key = contractKey(productId, contract)
      const replaced = await unlessConditionFails(
        client.send(new UpdateCommand({ TableName, Key, ...update })),
      )
      return replaced && { ...contract, ranges }
    },

    async disconnect(productId, contract) {
      await unlessConditionFails(
        client.send(
          new DeleteCommand({
            TableName,
            Key: contractKey(productId, contract),
            ConditionExpression: 'bindingId = :bindingId',
            ExpressionAttributeValues: { ':bindingId': contract.bindingId },
          }),
        ),
      )
    },
  }
}
