import { randomUUID } from 'node:crypto'
import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  paginateQuery,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import type { BindingId, ConnectedContract, Contract } from '../../domain/nft.ts'
import type { Contracts } from '../../domain/ports/allowlist.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { contractFromKey, contractKey, contractsOf, type Table } from './table.ts'

const contractItem = v.pipe(
  v.object({ sk: v.string(), bindingId: v.string() }),
  v.transform(
    ({ sk, bindingId }): Contract => ({
      ...contractFromKey(sk),
      bindingId: bindingId as BindingId,
    }),
  ),
)

const describedItem = v.pipe(
  v.object({
    sk: v.string(),
    bindingId: v.string(),
    description: v.string(),
    createdAt: v.string(),
  }),
  v.transform(
    ({ sk, bindingId, description, createdAt }): ConnectedContract => ({
      ...contractFromKey(sk),
      bindingId: bindingId as BindingId,
      description,
      connectedAt: createdAt,
    }),
  ),
)

/** The contracts in the table. Every read is consistent, because unbinding takes effect at once (D19). */
export const dynamoContracts = ({ client, name: TableName }: Table): Contracts => ({
  async list(productId) {
    const { pk, prefix } = contractsOf(productId)
    const pages = paginateQuery(
      { client },
      {
        TableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
        ProjectionExpression: 'sk, bindingId',
        ConsistentRead: true,
      },
    )
    const contracts: Contract[] = []
    for await (const { Items = [] } of pages) {
      contracts.push(...Items.map((item) => v.parse(contractItem, item)))
    }
    return contracts
  },

  async get(productId, key) {
    const { Item } = await client.send(
      new GetCommand({ TableName, Key: contractKey(productId, key), ConsistentRead: true }),
    )
    return Item && v.parse(contractItem, Item)
  },

  async describe(productId, { after, limit }) {
    const { pk, prefix } = contractsOf(productId)
    const contracts: ConnectedContract[] = []
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
      contracts.push(...Items.map((item) => v.parse(describedItem, item)))
      last = LastEvaluatedKey?.['sk']
    } while (last !== undefined && contracts.length < limit)
    return contracts
  },

  async updateDescription(productId, key, description) {
    const updated = await unlessConditionFails(
      client.send(
        new UpdateCommand({
          TableName,
          Key: contractKey(productId, key),
          UpdateExpression: 'SET description = :description',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeValues: { ':description': description },
          ReturnValues: 'ALL_NEW',
        }),
      ),
    )
    return updated && v.parse(contractItem, updated.Attributes)
  },

  async connect(productId, key, description) {
    const bindingId = randomUUID() as string as BindingId
    const createdAt = new Date().toISOString()
    const made = await unlessConditionFails(
      client.send(
        new PutCommand({
          TableName,
          Item: { ...contractKey(productId, key), bindingId, description, createdAt },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      ),
    )
    return made && { ...key, bindingId }
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
})
