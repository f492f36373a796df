import type { ScanCommandInput, ScanCommandOutput } from '@aws-sdk/lib-dynamodb'
import {
  DeleteCommand,
  documentCommand,
  GetCommand,
  PutCommand,
} from '../../../lib/adapters/dynamodb/commands.ts'
import type { Key } from '../../../lib/adapters/dynamodb/keys/key.ts'
import type { Table } from '../../../lib/adapters/dynamodb/table.ts'

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
    for (;;) {
      const scan = new ScanCommand({ TableName, ProjectionExpression: 'pk, sk' })
      const { Items = [], LastEvaluatedKey } = await client.send(scan)
      for (const Key of Items) await client.send(new DeleteCommand({ TableName, Key }))
      if (!LastEvaluatedKey) return
    }
  },
})

/** Reads the items of a table, which no function does. */
export const ScanCommand = documentCommand<ScanCommandInput, ScanCommandOutput>('Scan')
