import type { ScanCommandInput, ScanCommandOutput } from '@aws-sdk/lib-dynamodb'
import {
  DeleteCommand,
  documentCommand,
  GetCommand,
  PutCommand,
} from '../../../lib/adapters/dynamodb/commands.ts'
import type { Key } from '../../../lib/adapters/dynamodb/keys/key.ts'
import type { Table } from '../../../lib/adapters/dynamodb/table.ts'

type Item = NonNullable<ScanCommandOutput['Items']>[number]

/** Reads the items of a table, which no function does. */
const ScanCommand = documentCommand<ScanCommandInput, ScanCommandOutput>('Scan')

/** Items of a table, accessed without the adapters. */
export function storedItems({ client, name: TableName }: Table) {
  const scan = async (more: Partial<ScanCommandInput> = {}): Promise<Item[]> => {
    const items: Item[] = []
    let ExclusiveStartKey: Record<string, unknown> | undefined
    do {
      const page = new ScanCommand({ TableName, ExclusiveStartKey, ...more })
      const { Items = [], LastEvaluatedKey } = await client.send(page)
      items.push(...Items)
      ExclusiveStartKey = LastEvaluatedKey
    } while (ExclusiveStartKey)
    return items
  }
  const remove = async ({ pk, sk }: Item): Promise<void> => {
    await client.send(new DeleteCommand({ TableName, Key: { pk, sk } }))
  }
  return {
    remove,
    async get(Key: Key): Promise<Item | undefined> {
      return (await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item
    },
    /** Replaces an item. An attribute with the value `undefined` is left out. */
    async put(key: Key, attributes: object): Promise<void> {
      await client.send(new PutCommand({ TableName, Item: { ...key, ...attributes } }))
    },
    all: () => scan(),
    /** Everything in the table that has this text in a key or a value. */
    with: async (text: unknown): Promise<Item[]> =>
      (await scan()).filter((item) => JSON.stringify(item).includes(String(text))),
    /** Deletes all items. */
    async empty(): Promise<void> {
      for (const key of await scan({ ProjectionExpression: 'pk, sk' })) await remove(key)
    },
  }
}
