import type * as document from '@aws-sdk/lib-dynamodb'
import type { AwsAccess } from '@player-nfts/local/aws/aws-access'
import { awsClient } from '../../../lib/adapters/aws/aws-client.ts'
import { documentCommand } from '../../../lib/adapters/dynamodb/commands.ts'
import { getItem } from '../../../lib/adapters/dynamodb/item-reads.ts'
import { deleteItem, putItem } from '../../../lib/adapters/dynamodb/item-writes.ts'
import type { Key } from '../../../lib/adapters/dynamodb/keys/key.ts'
import { dynamodb, type Table } from '../../../lib/adapters/dynamodb/table.ts'

type Attributes = NonNullable<document.ScanCommandOutput['Items']>[number]

/** An item of the table: its key and its other attributes. */
export type Item = Key & Attributes

/** What tests know of a service to reach its table. */
export interface WithTable {
  readonly stack: {
    readonly aws: AwsAccess
    readonly resources: { readonly tableName: string }
  }
}

/** The table of a stack for adapters of the service, whatever the environment of the process is. */
export const adapterTableOf = ({ aws, resources: { tableName } }: WithTable['stack']): Table => ({
  client: awsClient(dynamodb, aws),
  name: tableName,
  requestsAtOnce: 40,
})

/** The items of the table of a service. */
export const tableOf = ({ stack }: WithTable) => storedItems(adapterTableOf(stack))

/** Reads the items of a table, which no function does. */
const ScanCommand = documentCommand<document.ScanCommand>('Scan')

/** Items of a table, whatever their kind. */
export function storedItems(table: Table) {
  const scan = async (more: Partial<document.ScanCommandInput> = {}): Promise<Item[]> => {
    const items: Item[] = []
    let ExclusiveStartKey: Record<string, unknown> | undefined
    do {
      const page = new ScanCommand({
        ...{ TableName: table.name, ExclusiveStartKey, ConsistentRead: true, ...more },
      })
      const { Items = [], LastEvaluatedKey } = await table.client.send(page)
      items.push(...(Items as Item[]))
      ExclusiveStartKey = LastEvaluatedKey
    } while (ExclusiveStartKey)
    return items
  }
  const remove = async ({ pk, sk }: Key): Promise<void> => {
    await deleteItem(table, { pk, sk })
  }
  return {
    remove,
    get: (key: Key): Promise<Attributes | undefined> => getItem(table, key),
    /** Replaces an item. An attribute with the value `undefined` is left out. */
    async put<Stored extends Key>(key: Stored, attributes: object = {}): Promise<void> {
      await putItem(table, { ...key, ...attributes })
    },
    all: () => scan(),
    /** The items of the partitions whose keys begin with this prefix. */
    itemsUnder: (prefix: string): Promise<Item[]> =>
      scan({
        FilterExpression: 'begins_with(pk, :prefix)',
        ExpressionAttributeValues: { ':prefix': prefix },
      }),
    /** Everything in the table that has this text in a key or a value. */
    with: async (text: unknown): Promise<Item[]> =>
      (await scan()).filter((item) => JSON.stringify(item).includes(String(text))),
    async empty(): Promise<void> {
      for (const key of await scan({ ProjectionExpression: 'pk, sk' })) await remove(key)
    },
  }
}
