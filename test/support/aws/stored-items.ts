import { DeleteCommand, GetCommand, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb'
import type { Key, Table } from '../../../lib/adapters/dynamodb/table.ts'

/** Items of a table, accessed without the adapters. */
export const storedItems = ({ client, name: TableName }: Table) => ({
  async get(Key: Key): Promise<Record<string, unknown> | undefined> {
    return (await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item
  },
  /** Replaces an item. An attribute with the value `undefined` is left out. */
  async put(key: Key, attributes: object): Promise<void> {
    await client.send(new PutCommand({ TableName, Item: { ...key, ...attributes } }))
  },
  /** Deletes all items. */
  async empty(): Promise<void> {
    const pages = paginateScan({ client }, { TableName, ProjectionExpression: 'pk, sk' })
    for await (const { Items = [] } of pages) {
      for (const Key of Items) await client.send(new DeleteCommand({ TableName, Key }))
    }
  },
})
